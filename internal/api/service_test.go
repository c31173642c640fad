package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
)

// Helpers for several tests.

const (
	testKey  = "key-of-the-test"
	notFound = `{"error_code":"ERR_TUNNEL_404","status_code":404,"msg":"no such thing","details":{"operation_id":"op_1"}}`
)

func testConfig(t *testing.T, address string, change ...func(*Config)) Config {
	t.Helper()
	base, err := ParseBaseURL(address, true)
	if err != nil {
		t.Fatal(err)
	}
	config := Config{BaseURL: base, APIKey: testKey, UserAgent: "test/1", MaxRetries: 2, RequestTimeout: 5 * time.Second}
	for _, c := range change {
		c(&config)
	}
	return config
}

// serve runs a handler and returns a client for it with short waits.
func serve(t *testing.T, handler http.HandlerFunc, change ...func(*Config)) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	client := New(testConfig(t, server.URL, change...))
	client.minWait, client.maxWait = time.Millisecond, 10*time.Millisecond
	client.searchDelay, client.settleTime = time.Millisecond, 20*time.Millisecond
	return client
}

// inBubble runs a test in a synctest bubble, against a handler at the other end
// of an in-memory network. Waits are as long as in production, but take no real
// time.
func inBubble(t *testing.T, handler http.HandlerFunc, test func(*testing.T, *Client), change ...func(*Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		network := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
		inBubbleOn(t, network, handler, test, change...)
	})
}

// inBubbleOn is like inBubble, for a given network. It must be called in a
// bubble.
func inBubbleOn(t *testing.T, network *pipes, handler http.HandlerFunc, test func(*testing.T, *Client), change ...func(*Config)) {
	t.Helper()
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)} //nolint:gosec // a pipe
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		if network.closesIdle > 0 && state == http.StateIdle {
			time.AfterFunc(network.closesIdle, func() { conn.Close() })
		}
	}
	go server.Serve(network) //nolint:errcheck // it ends with the test
	network.client = &http.Transport{DialContext: network.dial}
	defer func() {
		network.client.CloseIdleConnections()
		server.Close()
		time.Sleep(time.Hour) // lets waiting handlers end
	}()
	change = append([]func(*Config){func(c *Config) { c.RequestTimeout = DefaultRequestTimeout }}, change...)
	test(t, newClient(testConfig(t, "http://api.example.com", change...), network.client))
}

// pipes is an in-memory network that leads to one server.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
	client *http.Transport
	// closesIdle is the time after which the server closes an idle connection; 0
	// is never.
	closesIdle time.Duration

	mu    sync.Mutex
	dials int
	fails func(dial int) error // returns why a connection fails; connections are counted from 1
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (*pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	p.mu.Lock()
	p.dials++
	var err error
	if p.fails != nil {
		err = p.fails(p.dials)
	}
	p.mu.Unlock()
	if err != nil {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
	}
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.closed:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	case <-ctx.Done():
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ETIMEDOUT}
	}
}

func apiError(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, body)
}

func htmlPage(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(status)
	io.WriteString(w, "<html><body>a page of a proxy</body></html>")
}

func hangUp(w http.ResponseWriter) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		conn.Close()
	}
}

// breakOff sends a response that is shorter than its Content-Length.
func breakOff(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "100")
	w.WriteHeader(http.StatusCreated)
	io.WriteString(w, `{"id":`)
}

// backendService is a service with failover backends. A test can replace its
// responses.
type backendService struct {
	// onPost, if set, answers create requests. create does what the service
	// would do.
	onPost func(w http.ResponseWriter, r *http.Request, create func() FailoverBackend)
	skew   time.Duration // of the service's clock

	mu      sync.Mutex
	objects []FailoverBackend
	posts   int
	lists   int
	others  int // requests for anything else
}

func (s *backendService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", time.Now().Add(s.skew).UTC().Format(http.TimeFormat))
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.URL.Path != "/backends/failover":
		s.count(&s.others)
		apiError(w, http.StatusNotFound, notFound)
	case r.Method == http.MethodPost:
		s.count(&s.posts)
		text, _ := io.ReadAll(r.Body)
		create := func() FailoverBackend { return s.add(text, 0) }
		if s.onPost != nil {
			s.onPost(w, r, create)
			return
		}
		answerCreated(w, create())
	default:
		s.count(&s.lists)
		s.mu.Lock()
		defer s.mu.Unlock()
		json.NewEncoder(w).Encode(map[string]any{"backends": s.objects, "next_page_uri": nil})
	}
}

func answerCreated(w http.ResponseWriter, object FailoverBackend) {
	w.WriteHeader(http.StatusCreated)
	json.NewEncoder(w).Encode(object)
}

// read returns a number of requests. The service may still answer some.
func (s *backendService) read(what *int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *what
}

func (s *backendService) count(what *int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	*what++
	return *what
}

// add adds an object with a creation time in the past.
func (s *backendService) add(body []byte, ago time.Duration) FailoverBackend {
	var object FailoverBackend
	if err := json.Unmarshal(body, &object); err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	object.ID = fmt.Sprintf("bkdfo_%d", len(s.objects)+1)
	object.CreatedAt = Info(time.Now().Add(s.skew - ago).UTC().Format(time.RFC3339))
	s.objects = append(s.objects, object)
	return object
}

func (s *backendService) ids() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for _, object := range s.objects {
		ids = append(ids, object.ID)
	}
	return ids
}

// twin is the body of most create requests in the tests.
var twin = FailoverBackendBody{Details: Details{Description: "made by a test"}, Backends: []string{"bkdtg_1"}}

const twinBody = `{"description":"made by a test","backends":["bkdtg_1"]}`

// contains checks that a text contains all parts.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not hold %q", text, part)
		}
	}
}

// unfit reports whether a character is not safe in a terminal: a control
// character, or an invisible formatting character.
func unfit(r rune) bool {
	return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

// newLog returns a change of a configuration that records the messages of Log,
// and a function that returns the messages since its last call.
func newLog() (change func(*Config), lines func() string) {
	var mu sync.Mutex
	var text strings.Builder
	keep := func(_ context.Context, message string, fields map[string]any) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(&text, message, fields)
	}
	return func(c *Config) { c.Log = keep }, func() string {
		mu.Lock()
		defer mu.Unlock()
		defer text.Reset()
		return text.String()
	}
}
