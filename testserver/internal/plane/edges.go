package plane

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/websocket"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// exchange is a request to an HTTPS edge.
type exchange struct {
	request traffic.Request
	from    net.Addr
	entry   *Connection
}

type exchangeKey struct{}

// ServeHTTP serves a request to the HTTPS edge of its host.
func (p *Plane) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{request: traffic.Request{Protocol: "https", Path: r.URL.Path, Client: p.clientOfRequest(r)}}
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	if _, own, _ := net.SplitHostPort(p.Traffic); port == own {
		port = "" // it stands for all
	}
	x.request.Host, x.request.Port = strings.ToLower(host), port
	x.from, _ = net.ResolveTCPAddr("tcp", r.RemoteAddr)
	x.entry = p.begin()
	defer p.end(x.entry, "http_request_complete.v0", map[string]any{"method": r.Method})
	if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		if d := p.account.Decide(&x.request, p.World()); d.Target.Websocket && p.convert(w, r, x) {
			return
		}
	}
	p.proxy.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
}

// clientOfRequest returns the address of the client of an HTTPS request.
func (p *Plane) clientOfRequest(r *http.Request) netip.Addr {
	if p.ClientHeader != "" {
		if given, err := netip.ParseAddr(r.Header.Get(p.ClientHeader)); err == nil {
			return given.Unmap()
		}
	}
	return clientOf(r.RemoteAddr)
}

// newProxy returns what answers all requests. Its round trip is a decision and what
// follows from it.
func (p *Plane) newProxy() *httputil.ReverseProxy {
	log := slog.NewLogLogger(p.api.Log.Handler(), slog.LevelInfo)
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", r.In.Host, r.In.Host
			r.Out.URL.RawQuery = r.In.URL.RawQuery // also what does not parse
			r.SetXForwarded()
		},
		Transport: p, ErrorLog: log, ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			log.Printf("traffic: %s: %v", r.Host, err)
			http.Error(w, "502: the tunnel failed", http.StatusBadGateway)
		},
	}
}

// RoundTrip decides about a request, and sends it through a tunnel or answers it.
func (p *Plane) RoundTrip(r *http.Request) (response *http.Response, err error) {
	x := r.Context().Value(exchangeKey{}).(*exchange)
	if r.Body != nil {
		r.Body = io.NopCloser(r.Body) // the next tunnel may need it
	}
	d, err := p.route(&x.request, x.entry, func(t *tunnel) error {
		response, err = t.http.RoundTrip(r) //nolint:bodyclose // it is returned
		return err
	})
	if err != nil {
		return nil, err
	}
	if response == nil {
		if response = answer(r, d); r.Body != nil { // HTTP/2 resets the stream of a request that is not read
			_, _ = io.CopyN(io.Discard, r.Body, maxDiscarded)
		}
	}
	if d.Target.Compress && acceptsGzip(r) {
		compress(response)
	}
	return response, nil
}

// maxDiscarded is how many bytes of a request an edge reads that answers it itself.
const maxDiscarded = 16 << 20

// answer returns the response of an edge itself, or of an HTTP response backend.
func answer(r *http.Request, d traffic.Decision) *http.Response {
	status, text, header := d.Target.Status, d.Answer+"\n", http.Header{}
	if fixed := d.Target.Response; fixed != nil {
		status, text = fixed.StatusCode, fixed.Body
		for name, value := range fixed.Headers {
			header.Set(name, value)
		}
	} else {
		header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	switch {
	case status < 200:
		status, text = http.StatusBadGateway, fmt.Sprintf("502: the status %d of the backend ends no response\n", status)
	case status == http.StatusNoContent || status == http.StatusNotModified:
		text = "" // they have no body
	}
	header.Set("Content-Length", strconv.Itoa(len(text)))
	if text == "" {
		header.Del("Content-Length")
	}
	return &http.Response{
		StatusCode: status, Header: header, ContentLength: int64(len(text)), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Body: io.NopCloser(strings.NewReader(text)),
	}
}

// tunnelHTTP returns the HTTP client of a tunnel.
func tunnelHTTP(t *tunnel) *http.Transport {
	return &http.Transport{
		DisableCompression: true, MaxIdleConnsPerHost: 100, IdleConnTimeout: time.Minute,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			x, _ := ctx.Value(exchangeKey{}).(*exchange)
			return t.dial(x.from)
		},
	}
}

// convert connects a WebSocket with a TCP connection through a tunnel: binary frames
// are bytes. It reports false, and does nothing, if there is no tunnel.
func (p *Plane) convert(w http.ResponseWriter, r *http.Request, x *exchange) (done bool) {
	_, _ = p.route(&x.request, x.entry, func(t *tunnel) error {
		to, err := t.dial(x.from)
		if done = err == nil; done {
			websocket.Server{Handler: func(ws *websocket.Conn) { // of any origin
				ws.PayloadType = websocket.BinaryFrame
				pipe(frames{ws}, to)
			}}.ServeHTTP(w, r)
		}
		return err
	})
	return done
}

// frames is a WebSocket, whose directions end together.
type frames struct{ *websocket.Conn }

func (f frames) CloseWrite() error { return f.Close() }

// acceptsGzip reports whether a client takes a compressed response.
func acceptsGzip(r *http.Request) bool {
	for coding := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, weighs := strings.Cut(strings.ReplaceAll(coding, " ", ""), ";q=")
		if strings.EqualFold(name, "gzip") {
			return !weighs || strings.Trim(weight, "0.") != ""
		}
	}
	return false
}

// compress compresses the body of a response that has a whole one and no encoding. What
// arrives is sent at once.
func compress(r *http.Response) {
	none := r.StatusCode < 200 || r.StatusCode == http.StatusNoContent || r.StatusCode == http.StatusNotModified
	if none || r.StatusCode == http.StatusPartialContent || r.Header.Get("Content-Encoding") != "" {
		return
	}
	r.Header.Set("Content-Encoding", "gzip")
	r.Header.Add("Vary", "Accept-Encoding")
	r.Header.Del("Content-Length")
	if r.ContentLength = -1; r.Request.Method == http.MethodHead {
		return
	}
	from := r.Body
	reader, writer := io.Pipe()
	r.Body = reader
	go func() {
		zip, buffer := gzip.NewWriter(writer), make([]byte, 32<<10)
		n, err := 0, error(nil)
		for err == nil {
			n, err = from.Read(buffer)
			if _, failed := zip.Write(buffer[:n]); failed != nil || err == nil && zip.Flush() != nil {
				break
			}
		}
		_ = from.Close()
		if errors.Is(err, io.EOF) {
			err = zip.Close()
		}
		_ = writer.CloseWithError(err)
	}()
}
