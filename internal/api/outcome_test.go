package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
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
	"400 without a body":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(400) },
	"404 and a text":       func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no route", 404) },
	"409 and a string":     func(w http.ResponseWriter, _ *http.Request) { apiError(w, 409, `"conflict"`) },
	"422 and a list":       func(w http.ResponseWriter, _ *http.Request) { apiError(w, 422, `["no"]`) },
	"page with 502":        func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, 502) },
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
					ids, err := lost(t.Context(), t, client)
					if !slices.Equal(ids, s.ids()) || err != nil {
						t.Errorf("found %v and %v, the service has %v", ids, err, s.ids())
					}
					if s.read(&s.posts) != 1 || s.read(&s.lists) != 1 || s.read(&s.others) != 0 {
						t.Errorf("%d POSTs, %d lists, %d others", s.read(&s.posts), s.read(&s.lists), s.read(&s.others))
					}
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

func TestCreate_awaitsAnAnswerThatIsNearAfterACancel(t *testing.T) {
	t.Parallel()
	for delay, known := range map[time.Duration]bool{4 * time.Second: true, 8 * time.Second: false} {
		s := &backendService{onPost: func(w http.ResponseWriter, _ *http.Request, create func() FailoverBackend) {
			object := create()
			time.Sleep(delay)
			answerCreated(w, object)
		}}
		inBubble(t, s.ServeHTTP, func(t *testing.T, client *Client) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(100*time.Millisecond, cancel)
			begun := time.Now()
			object, err := FailoverBackends.Of(client).Create(ctx, twin)
			_, unknown := errors.AsType[*UnknownOutcomeError](err)
			if known != (err == nil && object.ID == "bkdfo_1") || known == unknown {
				t.Errorf("answered after %s: got %v, %v", delay, object, err)
			}
			if unknown {
				if found, err := FailoverBackends.Of(client).Candidates(ctx); len(found) != 1 || err != nil {
					t.Errorf("found %d objects and %v, want %v", len(found), err, s.ids())
				}
			}
			if took := time.Since(begun); took > 6200*time.Millisecond {
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
	_, err := FailoverBackends.Of(client).Create(ctx, twin)
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
				_, err := FailoverBackends.Of(client).Create(ctx, twin)
				_, unknown := errors.AsType[*UnknownOutcomeError](err)
				if (err == nil) != test.known || unknown == test.known || s.read(&s.posts) != test.posts || len(s.ids()) != 1 {
					t.Fatalf("got %v after %d POSTs", err, s.read(&s.posts))
				}
				if unknown {
					if found, err := FailoverBackends.Of(client).Candidates(ctx); len(found) != 1 || err != nil {
						t.Errorf("found %d objects and %v", len(found), err)
					}
				}
			})
		})
	}
}
