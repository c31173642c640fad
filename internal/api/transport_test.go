package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTransport_refusesAnswersOverTenMiB(t *testing.T) {
	t.Parallel()
	var tries atomic.Int32
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		tries.Add(1)
		io.WriteString(w, `{"id":"x","description":"`)
		for range 11 {
			io.WriteString(w, strings.Repeat("a", 1<<20))
		}
	})
	if _, err := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{}); err == nil || !strings.Contains(err.Error(), "10 MiB") || tries.Load() != 1 {
		t.Errorf("%d tries, error %v", tries.Load(), err)
	}
}

// A read does not follow a redirect to another origin, and a write follows none.
func TestTransport_refusesRedirects(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request went to another origin") }))
	t.Cleanup(other.Close)
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{"", other.URL} {
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/new" {
					t.Errorf("%s was redirected", r.Method)
				}
				http.Redirect(w, r, to+"/new", status)
			})
			_, update := SSHCredentials.Of(client).Update(t.Context(), "x", SSHCredentialUpdate{})
			_, put := Compression.Of(client, "e", "r").Put(t.Context(), RouteModule{})
			refused := map[string]error{
				"update": update, "put": put, "delete": deletion(SSHCredentials.Of(client).Delete(t.Context(), "x", time.Time{})),
				"delete module": deletion(Compression.Of(client, "e", "r").Delete(t.Context())),
			}
			if to != "" {
				_, refused["read from another origin"] = SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{})
			}
			for what, err := range refused {
				if err == nil || !strings.Contains(err.Error(), "redirect") || strings.HasPrefix(what, "read") && !strings.Contains(err.Error(), "another origin") {
					t.Errorf("%d, %s: got %v", status, what, err)
				}
			}
		}
	}
}

func TestTransport_followsARedirectOfAReadWithinTheOrigin(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 307, 308} {
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.URL.Path, "/new") {
				http.Redirect(w, r, "/new"+r.URL.Path, status)
				return
			}
			if r.Header.Get("Authorization") != "Bearer "+testKey {
				t.Error("the key got lost")
			}
			io.WriteString(w, `{"id":"x"}`)
		})
		if _, err := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{}); err != nil {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestTransport_endsRedirectsInCircles(t *testing.T) {
	t.Parallel()
	var n atomic.Int32
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, fmt.Sprintf("/%d", n.Add(1)), http.StatusTemporaryRedirect)
	})
	if _, err := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{}); err == nil || !strings.Contains(err.Error(), "redirect loop") || n.Load() > 6 {
		t.Errorf("after %d requests: %v", n.Load(), err)
	}
}

func TestTransport_wordsAnEndOfTheConnection(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"closed":    func(w http.ResponseWriter, _ *http.Request) { hangUp(w) },
		"truncated": func(w http.ResponseWriter, _ *http.Request) { breakOff(w) },
		"chunk is cut": func(w http.ResponseWriter, _ *http.Request) {
			answerRaw(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")
		},
		"bad chunk": func(w http.ResponseWriter, _ *http.Request) {
			answerRaw(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab")
		},
		"header is cut": func(w http.ResponseWriter, _ *http.Request) { answerRaw(w, "HTTP/1.1 200 OK\r\nContent-") },
		"gzip is cut": func(w http.ResponseWriter, _ *http.Request) {
			answerRaw(w, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08")
		},
		"gzip is no gzip": func(w http.ResponseWriter, _ *http.Request) {
			answerRaw(w, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\n{\"id\":\"abc\"}")
		},
		"empty with a chunk": func(w http.ResponseWriter, _ *http.Request) {
			answerRaw(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
		},
	} {
		log, lines := newLog()
		client := serve(t, answer, log, func(c *Config) { c.MaxRetries = 0 })
		if _, err := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{}); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			readsAsASentence(t, err)
		}
		if logged := lines(); strings.Contains(logged, "EOF") {
			t.Errorf("%s: logged %s", name, logged)
		}
	}
}

// A private key that is used as an ID is not logged, and not shown if the service repeats
// it.
func TestTransport_logsNoLongWords(t *testing.T) {
	t.Parallel()
	secret := "MC4CAQAwBQYDK2VwBCIEIA" + strings.Repeat("c2VjcmV0", 5)
	log, lines := newLog()
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		apiError(w, 404, fmt.Sprintf(`{"msg":"no %s"}`, path.Base(r.URL.Path)))
	}, log)
	var shown string
	for _, id := range []string{secret, "a " + secret, "ssh_2abc"} {
		_, err := SSHCredentials.Of(client).Read(t.Context(), id, time.Time{})
		shown += lines() + err.Error()
	}
	if strings.Contains(shown, secret[13:]) {
		t.Errorf("the key is shown: %s", shown)
	}
	contains(t, shown, "/ssh_credentials/ssh_2abc")
}

// hostileBodies returns bodies that are expensive to process. Most of them have
// the maximum size of a response.
func hostileBodies() map[string]string {
	fill := func(begin, item, end string) string {
		return begin + strings.Repeat(item+",", (maxAnswer-len(begin)-len(end)-len(item))/(len(item)+1)) + item + end
	}
	valid := make([]string, maxItems+1)
	for i := range valid {
		valid[i] = fmt.Sprintf(`{"id":"a%d"}`, i)
	}
	return map[string]string{
		"objects":             fill(`{"backends":[`, `{}`, `]}`),
		"valid items":         `{"backends":[` + strings.Join(valid, ",") + `]}`,
		"deep":                `{"backends":` + strings.Repeat("[", maxAnswer-20),
		"objects for strings": fill(`{"id":"x","backends":[`, `{}`, `]}`),
		"actions":             fill(`{"inbound":[{"actions":[`, `{}`, `]}]}`),
		"many fields":         fill(`{"id":"x",`, `"a":1`, `}`),
		// These are shorter, so that a failure does not take minutes.
		"long id":           `{"id":"` + strings.Repeat("QUJD", 50_000) + `"}`,
		"long id in a list": `{"backends":[{"id":"` + strings.Repeat("QUJD", 50_000) + `"}]}`,
		"long next page":    `{"backends":[],"next_page_uri":"http://%zz` + strings.Repeat("QUJD", 50_000) + `"}`,
		"long number":       `{"backends":` + strings.Repeat("1", 200_000) + `}`,
	}
}

// This test is not parallel. It measures allocated memory with TotalAlloc,
// which includes the memory of other tests that run at the same time.
func TestTransport_survivesHostileAnswers(t *testing.T) { //nolint:paralleltest // see above
	if testing.Short() {
		t.Skip("it measures memory and time, which the race detector adds to")
	}
	const limit = 100 << 20
	for name, text := range hostileBodies() {
		if len(text) > maxAnswer {
			t.Fatalf("%s has %d bytes", name, len(text))
		}
		for what, call := range map[string]func(context.Context, *Client) error{
			"list": func(ctx context.Context, c *Client) error {
				for _, err := range FailoverBackends.Of(c).List(ctx) {
					if err != nil {
						return err
					}
				}
				return nil
			},
			"read": func(ctx context.Context, c *Client) error {
				_, err := FailoverBackends.Of(c).Read(ctx, "x", time.Time{})
				return err
			},
			"module": func(ctx context.Context, c *Client) error {
				_, err := TLSEdgePolicy.Of(c, "x").Get(ctx, false)
				return err
			},
		} {
			synctest.Test(t, func(t *testing.T) { // without the waits between two requests
				config := testConfig(t, "http://api.example.com", func(c *Config) { c.MaxRetries = 0 })
				asked := 0
				client := newClient(config, answers(func(*http.Request) (int, string) {
					if asked++; asked > 3 {
						t.Errorf("%s, %s: %d requests", name, what, asked)
					}
					return 200, text
				}))
				var before, after runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&before)
				err := call(t.Context(), client)
				runtime.ReadMemStats(&after)
				perAnswer := (after.TotalAlloc - before.TotalAlloc) / uint64(max(1, asked)) //nolint:gosec // small
				if perAnswer > limit {
					t.Errorf("%s, %s: allocates %d MiB for each answer", name, what, perAnswer>>20)
				}
				if err == nil && what == "list" && name != "long id in a list" {
					t.Errorf("%s, %s: no error", name, what)
				}
				if err != nil && len(err.Error()) > 5000 {
					t.Errorf("%s, %s: an error of %d characters", name, what, len(err.Error()))
				}
			})
		}
	}
}

// A proxy's response to CONNECT does not come from the service.
func TestTransport_namesTheProxy(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]struct {
		text  string
		tries int32
	}{
		http.StatusProxyAuthRequired:  {"407 Proxy Authentication Required", 1},
		http.StatusServiceUnavailable: {"503 Service Unavailable", 3},
	} {
		var tries atomic.Int32
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodConnect {
				t.Errorf("the proxy got %s %s", r.Method, r.URL)
			}
			tries.Add(1)
			w.WriteHeader(status)
		}))
		t.Cleanup(proxy.Close)
		address, err := url.Parse(proxy.URL)
		if err != nil {
			t.Fatal(err)
		}
		transport := newTransport(func(transport *http.Transport) { transport.Proxy = http.ProxyURL(address) })
		client := newClient(testConfig(t, "https://api.example.com"), transport)
		client.minWait, client.maxWait = time.Millisecond, 10*time.Millisecond
		_, err = SSHCredentials.Of(client).Create(t.Context(), SSHCredentialCreate{PublicKey: "a"})
		if err == nil {
			t.Fatal("no error")
		}
		contains(t, err.Error(), "could not connect through the proxy that HTTPS_PROXY or HTTP_PROXY names: the proxy "+address.Host+" refused the connection with "+want.text)
		if _, ok := errors.AsType[*UnknownOutcomeError](err); ok {
			t.Errorf("the outcome is certain, found %v", err)
		}
		if tries.Load() != want.tries {
			t.Errorf("%d: %d tries, want %d", status, tries.Load(), want.tries)
		}
	}
}
