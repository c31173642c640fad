package api

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// lostAnswers are responses to a creation that leave its outcome unknown.
var lostAnswers = map[string]func(http.ResponseWriter, *http.Request){
	"no answer in time":    func(http.ResponseWriter, *http.Request) { time.Sleep(DefaultRequestTimeout + 4*time.Second) },
	"500":                  func(w http.ResponseWriter, _ *http.Request) { apiError(w, 500, `{"msg":"oh"}`) },
	"502":                  func(w http.ResponseWriter, _ *http.Request) { apiError(w, 502, `{"msg":"oh"}`) },
	"503":                  func(w http.ResponseWriter, _ *http.Request) { apiError(w, 503, `{"msg":"oh"}`) },
	"504":                  func(w http.ResponseWriter, _ *http.Request) { apiError(w, 504, `{"msg":"oh"}`) },
	"503 with retry after": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "1"); apiError(w, 503, ``) },
	"408":                  func(w http.ResponseWriter, _ *http.Request) { apiError(w, 408, `{"msg":"too slow"}`) },
	"connection closed":    func(w http.ResponseWriter, _ *http.Request) { hangUp(w) },
	"truncated":            func(w http.ResponseWriter, _ *http.Request) { breakOff(w) },
	"page with 200":        func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 200) },
	"page with 403":        func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 403) },
	"page with 404":        func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 404) },
	"page with 502":        func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 502) },
	"400 of somebody else": func(w http.ResponseWriter, _ *http.Request) { apiError(w, 400, `{"message":"no Route matched"}`) },
	"201 without an id":    func(w http.ResponseWriter, _ *http.Request) { apiError(w, 201, `{"description":"made"}`) },
	"201 with a bad id":    func(w http.ResponseWriter, _ *http.Request) { apiError(w, 201, `{"id":"../x"}`) },
	"201 with a number":    func(w http.ResponseWriter, _ *http.Request) { apiError(w, 201, `{"id":7}`) },
	"201 and null":         func(w http.ResponseWriter, _ *http.Request) { apiError(w, 201, `null`) },
	"201 without a body":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(201) },
	"204":                  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) },
	"redirect 301": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusMovedPermanently)
	},
	"redirect 302": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) },
	"redirect 303": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusSeeOther) },
	"redirect 307": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	},
	"redirect 308": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusPermanentRedirect)
	},
	"redirect abroad": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://evil.example/x", http.StatusTemporaryRedirect)
	},
	"redirect to nowhere": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(307) },
	"redirect to no URL": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://%zz")
		w.WriteHeader(307)
	},
	"switching protocols":   func(w http.ResponseWriter, _ *http.Request) { switchProtocols(w) },
	"something but no HTTP": func(w http.ResponseWriter, _ *http.Request) { answerRaw(w, "hello\r\n\r\n") },
}

// answerRaw writes a text to the connection and closes it.
func answerRaw(w http.ResponseWriter, text string) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		io.WriteString(conn, text)
		conn.Close()
	}
}

// switchProtocols answers 101 and keeps the connection open.
func switchProtocols(w http.ResponseWriter) {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
		time.AfterFunc(10*time.Minute, func() { conn.Close() })
	}
}

func TestCreate_isNotRepeatedAfterALostAnswer(t *testing.T) {
	t.Parallel()
	for name, lose := range lostAnswers {
		for when, processed := range map[string]bool{"before processing": false, "after processing": true} {
			t.Run(name+" "+when, func(t *testing.T) {
				t.Parallel()
				s := &backendService{onPost: func(w http.ResponseWriter, r *http.Request, create func() FailoverBackend) {
					if processed {
						create()
					}
					lose(w, r)
				}}
				inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
					_, err := client.FailoverBackends().Create(t.Context(), twin)
					outcome, ok := errors.AsType[*UnknownOutcomeError](err)
					if !ok {
						t.Fatalf("got %v after %d POSTs, want an unknown outcome", err, s.posts)
					}
					if !slices.Equal(outcome.IDs, s.ids()) || outcome.Look != nil {
						t.Errorf("found %v and %v, the service has %v", outcome.IDs, outcome.Look, s.ids())
					}
					if s.posts != 1 || s.lists != 1 || s.others != 0 {
						t.Errorf("%d POSTs, %d lists, %d others", s.posts, s.lists, s.others)
					}
					readsAsASentence(t, err)
				})
			})
		}
	}
}

// readsAsASentence checks that an error does not end with an error text of Go's
// libraries, and is not too long.
func readsAsASentence(t *testing.T, err error) {
	t.Helper()
	text := err.Error()
	for _, end := range []string{"EOF", "context canceled", "context deadline exceeded", "connection reset by peer", "use of closed network connection", ": "} {
		if strings.HasSuffix(text, end) {
			t.Errorf("%q is not a sentence", text)
		}
	}
	if len(text) > 3000 {
		t.Errorf("the error has %d characters", len(text))
	}
}

// The service needs 34 seconds, and request_timeout is 30 seconds.
func TestCreate_findsWhatASlowServiceMakesAfterTheTimeout(t *testing.T) {
	t.Parallel()
	s := &backendService{onPost: func(w http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
		time.Sleep(34 * time.Second)
		answerCreated(w, create())
	}}
	inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				_, err := client.FailoverBackends().Create(t.Context(), twin)
				outcome, ok := errors.AsType[*UnknownOutcomeError](err)
				if !ok || len(outcome.IDs) != 3 {
					t.Errorf("got %+v, %v; want three ids", outcome, err)
				}
				contains(t, err.Error(), "no response within 30s (request_timeout)")
			})
		}
		group.Wait()
		if s.posts != 3 || len(s.ids()) != 3 {
			t.Errorf("%d POSTs made %v", s.posts, s.ids())
		}
	})
}

func TestCreate_definiteRefusalIsNoUnknownOutcome(t *testing.T) {
	t.Parallel()
	for _, status := range []int{400, 401, 403, 404, 405, 409, 413, 415, 422} {
		s := &backendService{onPost: func(w http.ResponseWriter, _ *http.Request, _ func() FailoverBackend) {
			apiError(w, status, `{"error_code":"ERR_TUNNEL_1","msg":"no"}`)
		}}
		inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
			_, err := client.FailoverBackends().Create(t.Context(), twin)
			answer, ok := errors.AsType[*Error](err)
			_, unknown := errors.AsType[*UnknownOutcomeError](err)
			if !ok || unknown || answer.Status != status || s.posts != 1 || s.lists != 0 {
				t.Errorf("%d: got %v after %d POSTs and %d lists", status, err, s.posts, s.lists)
			}
		})
	}
}

func TestCreate_isSentAgainIfTheConnectionFailed(t *testing.T) {
	t.Parallel()
	temporary := &net.DNSError{Err: "server misbehaving", Name: "api.example.com", IsTemporary: true}
	missing := &net.DNSError{Err: "no such host", Name: "api.example.com", IsNotFound: true}
	for name, test := range map[string]struct {
		fails   func(dial int) error
		dials   int
		created bool
	}{
		"connection refused once":   {func(n int) error { return []error{syscall.ECONNREFUSED, nil}[n-1] }, 2, true},
		"name service fails twice":  {func(n int) error { return []error{temporary, temporary, nil}[n-1] }, 3, true},
		"connection refused always": {func(int) error { return syscall.ECONNREFUSED }, 3, false},
		"no such host":              {func(int) error { return missing }, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &backendService{}
				network := &pipes{conns: make(chan net.Conn), closed: make(chan struct{}), fails: test.fails}
				inBubbleOn(t, network, s.ServeHTTP, func(t *testing.T, client *Client) {
					_, err := client.FailoverBackends().Create(t.Context(), twin)
					if _, unknown := errors.AsType[*UnknownOutcomeError](err); unknown || (err == nil) != test.created {
						t.Errorf("got %v", err)
					}
					if network.dials != test.dials || len(s.ids()) != s.posts || (s.posts == 1) != test.created {
						t.Errorf("%d connections, %d POSTs", network.dials, s.posts)
					}
					if err != nil {
						contains(t, err.Error(), "create failover backend: ", "could not connect to the service at base_url")
					}
				})
			})
		})
	}
}

// The reset needs a real connection, because pipes have none.
func TestCreate_isNotRepeatedAfterAReset(t *testing.T) {
	t.Parallel()
	s := &backendService{onPost: func(w http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
		create()
		if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
			conn.(*net.TCPConn).SetLinger(0) //nolint:errcheck,forcetypeassert // then the test fails
			conn.Close()
		}
	}}
	_, err := serve(t, s.ServeHTTP).FailoverBackends().Create(t.Context(), twin)
	outcome, ok := errors.AsType[*UnknownOutcomeError](err)
	if !ok || !slices.Equal(outcome.IDs, s.ids()) || s.posts != 1 {
		t.Errorf("got %+v, %v after %d POSTs", outcome, err, s.posts)
	}
}

// If the server closes an idle connection, a creation must neither get an
// unknown outcome nor create two objects.
func TestCreate_survivesAClosedIdleConnection(t *testing.T) {
	t.Parallel()
	s := &backendService{}
	server := func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Connection", "close")
		}
		s.ServeHTTP(w, r)
	}
	client := serve(t, server)
	for range 20 {
		for _, err := range client.FailoverBackends().List(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := client.FailoverBackends().Create(t.Context(), twin); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.ids()) != 20 {
		t.Errorf("%d objects", len(s.ids()))
	}
}

func TestCreate_awaitsAnAnswerThatIsNearAfterACancel(t *testing.T) {
	t.Parallel()
	for delay, known := range map[time.Duration]bool{300 * time.Millisecond: true, 3 * time.Second: false} {
		s := &backendService{onPost: func(w http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
			object := create()
			time.Sleep(delay)
			answerCreated(w, object)
		}}
		inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(100*time.Millisecond, cancel)
			begun := time.Now()
			object, err := client.FailoverBackends().Create(ctx, twin)
			outcome, unknown := errors.AsType[*UnknownOutcomeError](err)
			if known != (err == nil && object.ID == "bkdfo_1") || known == unknown {
				t.Errorf("answered after %s: got %v, %v", delay, object, err)
			}
			if unknown && !slices.Equal(outcome.IDs, s.ids()) {
				t.Errorf("found %v and %v, want %v", outcome.IDs, outcome.Look, s.ids())
			}
			if took := time.Since(begun); took > 1600*time.Millisecond {
				t.Errorf("took %s", took)
			}
		})
	}
}

func TestCreate_sendsNothingOnceTheCallerHasGivenUp(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	client := serve(t, func(http.ResponseWriter, *http.Request) { requests.Add(1) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.FailoverBackends().Create(ctx, twin)
	if _, unknown := errors.AsType[*UnknownOutcomeError](err); err == nil || unknown || requests.Load() != 0 {
		t.Errorf("got %v after %d requests", err, requests.Load())
	}
}

// A 429 means that nothing was processed, so the request is sent again. Later
// responses count as for any other request.
func TestCreate_afterA429(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		then  func(w http.ResponseWriter, r *http.Request, create func() FailoverBackend)
		posts int
		known bool
	}{
		"created": {func(w http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
			answerCreated(w, create())
		}, 3, true},
		"lost": {loseAnswer, 3, false},
		"slow": {func(_ http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
			create()
			time.Sleep(time.Minute)
		}, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &backendService{}
			s.onPost = func(w http.ResponseWriter, r *http.Request, create func() FailoverBackend) {
				if s.count(&s.others) < 3 {
					w.Header().Set("Retry-After", "2")
					apiError(w, 429, `{"msg":"slow down"}`)
					return
				}
				test.then(w, r, create)
			}
			inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
				ctx, cancel := context.WithTimeoutCause(t.Context(), 20*time.Second, errors.New("the time of this operation is over"))
				defer cancel()
				_, err := client.FailoverBackends().Create(ctx, twin)
				outcome, unknown := errors.AsType[*UnknownOutcomeError](err)
				if (err == nil) != test.known || unknown == test.known || s.posts != test.posts || len(s.ids()) != 1 {
					t.Fatalf("got %v after %d POSTs", err, s.posts)
				}
				if unknown && !slices.Equal(outcome.IDs, s.ids()) {
					t.Errorf("found %v and %v", outcome.IDs, outcome.Look)
				}
			})
		})
	}
}
