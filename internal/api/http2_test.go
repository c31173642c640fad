package api

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"golang.org/x/sync/errgroup"
)

// frames is an HTTP/2 server that can end a stream in any way after its handler
// has processed the request. That of net/http knows only INTERNAL_ERROR.
type frames struct {
	handler http.Handler
	// fault ends a stream whose request was processed. It reports whether it did,
	// and whether the connection must be closed.
	fault func(framer *http2.Framer, method string, stream uint32) (ended, closed bool)
}

// serveFrames runs the server and returns a client for it.
func serveFrames(t *testing.T, frames *frames) *Client {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.TLS = &tls.Config{NextProtos: []string{"h2"}} //nolint:gosec // a test
	server.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){
		"h2": func(_ *http.Server, conn *tls.Conn, _ http.Handler) { frames.serve(conn) },
	}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	transport := newTransport(func(transport *http.Transport) {
		transport.TLSClientConfig = &tls.Config{RootCAs: roots} //nolint:gosec // a test
	})
	t.Cleanup(transport.shared.CloseIdleConnections)
	client := newClient(testConfig(t, server.URL), transport)
	client.minWait, client.maxWait = time.Millisecond, 10*time.Millisecond
	client.searchDelay = time.Millisecond
	return client
}

// serve processes the requests of a connection one after the other.
func (s *frames) serve(conn *tls.Conn) {
	defer conn.Close()
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	framer := http2.NewFramer(conn, conn)
	framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if framer.WriteSettings() != nil {
		return
	}
	requests := map[uint32]*http.Request{}
	bodies := map[uint32]*bytes.Buffer{}
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		stream, ended := frame.Header().StreamID, false
		switch frame := frame.(type) {
		case *http2.SettingsFrame:
			if !frame.IsAck() {
				err = framer.WriteSettingsAck()
			}
		case *http2.PingFrame:
			if !frame.IsAck() {
				err = framer.WritePing(true, frame.Data)
			}
		case *http2.MetaHeadersFrame:
			bodies[stream] = new(bytes.Buffer)
			requests[stream] = httptest.NewRequest(frame.PseudoValue("method"), frame.PseudoValue("path"), bodies[stream])
			ended = frame.StreamEnded()
		case *http2.DataFrame:
			bodies[stream].Write(frame.Data())
			ended = frame.StreamEnded()
		}
		if err != nil || ended && s.answer(framer, requests[stream], stream) {
			return
		}
	}
}

// answer processes a request, and reports whether the connection must be
// closed.
func (s *frames) answer(framer *http2.Framer, request *http.Request, stream uint32) (closed bool) {
	recorder := httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, request)
	if ended, closed := s.fault(framer, request.Method, stream); ended {
		return closed
	}
	var headers bytes.Buffer
	status := hpack.HeaderField{Name: ":status", Value: strconv.Itoa(recorder.Code)}
	err := hpack.NewEncoder(&headers).WriteField(status)
	if err != nil {
		return true
	}
	err = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: headers.Bytes(), EndHeaders: true})
	return err != nil || framer.WriteData(stream, true, recorder.Body.Bytes()) != nil
}

func reset(code http2.ErrCode) func(*http2.Framer, uint32) bool {
	return func(framer *http2.Framer, stream uint32) bool { return framer.WriteRSTStream(stream, code) != nil }
}

// goAway says that a request, which was processed, was not.
func goAway(code http2.ErrCode) func(*http2.Framer, uint32) bool {
	return func(framer *http2.Framer, stream uint32) bool {
		framer.WriteGoAway(max(stream, 2)-2, code, nil) //nolint:errcheck // the connection is closed anyway
		return true
	}
}

// A service may process a request before it resets the stream. net/http repeats
// requests after some resets, but must not repeat these.
func TestCreate_isProcessedAtMostOnceOverHTTP2(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault func(framer *http2.Framer, stream uint32) (closed bool)
		every int // which POSTs have the fault: all, or every third
	}{
		"no error":                    {reset(http2.ErrCodeNo), 1},
		"protocol error":              {reset(http2.ErrCodeProtocol), 1},
		"protocol error, every third": {reset(http2.ErrCodeProtocol), 3},
		"internal error":              {reset(http2.ErrCodeInternal), 1},
		"refused stream":              {reset(http2.ErrCodeRefusedStream), 1},
		"refused stream, every third": {reset(http2.ErrCodeRefusedStream), 3},
		"cancel":                      {reset(http2.ErrCodeCancel), 1},
		"enhance your calm":           {reset(http2.ErrCodeEnhanceYourCalm), 1},
		"HTTP/1.1 required":           {reset(http2.ErrCodeHTTP11Required), 1},
		"GOAWAY":                      {goAway(http2.ErrCodeNo), 1},
		"GOAWAY, every third":         {goAway(http2.ErrCodeNo), 3},
		"GOAWAY with an error":        {goAway(http2.ErrCodeProtocol), 1},
		"closed connection":           {func(*http2.Framer, uint32) bool { return true }, 1},
		"closed, every third":         {func(*http2.Framer, uint32) bool { return true }, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &backendService{}
			client := serveFrames(t, &frames{handler: s, fault: func(framer *http2.Framer, method string, stream uint32) (ended, closed bool) {
				s.mu.Lock()
				lost := method == http.MethodPost && s.posts%test.every == 0
				s.mu.Unlock()
				return lost, lost && test.fault(framer, stream)
			}})
			createsAtMostOnce(t, client, s)
		})
	}
}

// createsAtMostOnce creates objects, three at a time, and checks that no
// request is processed twice, and that every object is known or named.
func createsAtMostOnce(t *testing.T, client *Client, s *backendService) {
	t.Helper()
	const wanted = 20
	var mu sync.Mutex
	var known, named []string
	unknown := 0
	var group errgroup.Group
	group.SetLimit(3)
	for range wanted {
		group.Go(func() error {
			client.verify(t.Context()) //nolint:errcheck // it only opens the connection that the creation reuses
			object, err := FailoverBackends.Of(client).Create(t.Context(), twin)
			mu.Lock()
			defer mu.Unlock()
			if _, ok := errors.AsType[*UnknownOutcomeError](err); ok {
				unknown++
			}
			if err == nil {
				known = append(known, object.ID)
			}
			return nil
		})
	}
	group.Wait() //nolint:errcheck // there is none
	objects, err := FailoverBackends.Of(client).Candidates(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range objects {
		named = append(named, object.ID)
	}
	created := s.ids()
	t.Logf("%d wanted, %d processed, %d known, %d named, %d unknown outcomes", wanted, len(created), len(known), len(named), unknown)
	if s.posts > wanted || len(named) > unknown {
		t.Errorf("%d creations sent %d requests; %d outcomes are known, %d unknown", wanted, s.posts, len(known), unknown)
	}
	accounted := slices.Concat(known, named)
	slices.Sort(accounted)
	slices.Sort(created)
	if !slices.Equal(accounted, created) {
		t.Errorf("the service has %v; known are %v, and named are %v", created, known, named)
	}
}

// net/http repeats a request on a reused connection of HTTP/1 if it regards the
// request as idempotent, which a header can say.
func TestCreate_isProcessedAtMostOnceOnAReusedConnection(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"X-Gateway", "Idempotency-Key", "X-Idempotency-Key"} {
		t.Run(header, func(t *testing.T) {
			t.Parallel()
			s := &backendService{onPost: loseAnswer}
			client := serve(t, s.ServeHTTP, func(c *Config) { c.Headers = map[string]string{header: "a"} })
			createsAtMostOnce(t, client, s)
			if s.posts != 20 {
				t.Errorf("%d requests, want 20", s.posts)
			}
		})
	}
}
