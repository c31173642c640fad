package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// rotating is a service that accepts one API key, which can change, and counts the
// requests by status. A refusal repeats the key.
type rotating struct {
	accepted     atomic.Value // string
	served       atomic.Int32
	refused      atomic.Int32
	afterRefusal func()
}

func (s *rotating) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if key != s.accepted.Load() {
		s.refused.Add(1)
		if s.afterRefusal != nil {
			s.afterRefusal()
		}
		apiError(w, http.StatusUnauthorized, fmt.Sprintf(`{"msg": "invalid key %s"}`, key))
		return
	}
	s.served.Add(1)
	if r.Method == http.MethodGet {
		apiError(w, http.StatusOK, `{"id": "bkdfo_1"}`)
		return
	}
	apiError(w, http.StatusCreated, fmt.Sprintf(`{"id": "bkdfo_%d", "created_at": %q}`, s.served.Load(), time.Now().UTC().Format(time.RFC3339)))
}

// keyFile returns a change of the configuration, with a file that has the given keys
// one after the other.
func keyFile(reads *atomic.Int32, keys ...string) func(*Config) {
	return func(c *Config) {
		c.RereadKey = func() (string, error) {
			n := int(reads.Add(1))
			return keys[min(n, len(keys))-1], nil
		}
	}
}

func TestAPIKey_rereadAfterRefusal(t *testing.T) {
	t.Parallel()
	const next, other = "next-key-of-the-test", "other-key-of-the-test"
	for name, test := range map[string]struct {
		accepted        string
		keys            []string
		served, refused int32
		reads           int32
	}{
		"still valid":    {testKey, []string{next}, 1, 0, 0},
		"rotated":        {next, []string{next}, 1, 1, 1},
		"same key":       {next, []string{testKey}, 0, 1, 1},
		"also refused":   {other, []string{next, other}, 0, 2, 1},
		"without a file": {next, nil, 0, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, reads := &rotating{}, &atomic.Int32{}
			service.accepted.Store(test.accepted)
			var change []func(*Config)
			if test.keys != nil {
				change = append(change, keyFile(reads, test.keys...))
			}
			client := serve(t, service.ServeHTTP, change...)
			_, err := FailoverBackends(client).Read(t.Context(), "bkdfo_1", time.Time{})
			if (err == nil) != (test.served == 1) {
				t.Errorf("the read ended with %v", err)
			}
			if answer, ok := errors.AsType[*Error](err); err != nil && (!ok || answer.Status != http.StatusUnauthorized) {
				t.Errorf("got %v, want 401", err)
			}
			if err != nil && (strings.Contains(err.Error(), testKey) || strings.Contains(err.Error(), next)) {
				t.Errorf("the error shows a key: %v", err)
			}
			if service.served.Load() != test.served || service.refused.Load() != test.refused || reads.Load() != test.reads {
				t.Errorf("%d served, %d refused, %d reads of the file", service.served.Load(), service.refused.Load(), reads.Load())
			}
		})
	}
}

// TestAPIKey_oneRereadForAll checks that requests that were refused together share
// the new key.
func TestAPIKey_oneRereadForAll(t *testing.T) {
	t.Parallel()
	const requests = 8
	service, reads := &rotating{}, &atomic.Int32{}
	service.accepted.Store("next-key-of-the-test")
	var refused sync.WaitGroup
	refused.Add(requests)
	service.afterRefusal = func() { refused.Done(); refused.Wait() }
	client := serve(t, service.ServeHTTP, keyFile(reads, "next-key-of-the-test"))
	var done sync.WaitGroup
	for range requests {
		done.Go(func() {
			if _, err := FailoverBackends(client).Read(t.Context(), "bkdfo_1", time.Time{}); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if service.served.Load() != requests || reads.Load() != 1 {
		t.Errorf("%d served, %d reads", service.served.Load(), reads.Load())
	}
}

// TestAPIKey_creationIsNotRepeated checks that a creation is sent once, and that the
// next one uses the new key.
func TestAPIKey_creationIsNotRepeated(t *testing.T) {
	t.Parallel()
	service, reads := &rotating{}, &atomic.Int32{}
	service.accepted.Store("next-key-of-the-test")
	client := serve(t, service.ServeHTTP, keyFile(reads, "next-key-of-the-test"))
	_, err := FailoverBackends(client).Create(t.Context(), twin)
	if answer, ok := errors.AsType[*Error](err); !ok || answer.Status != http.StatusUnauthorized || service.refused.Load() != 1 {
		t.Errorf("%d refused: %v", service.refused.Load(), err)
	}
	if _, err := FailoverBackends(client).Create(t.Context(), twin); err != nil || service.served.Load() != 1 {
		t.Errorf("%d served: %v", service.served.Load(), err)
	}
}

func TestAPIKey_unreadable(t *testing.T) {
	t.Parallel()
	service := &rotating{}
	service.accepted.Store("next-key-of-the-test")
	var warned string
	client := serve(t, service.ServeHTTP, func(c *Config) {
		c.RereadKey = func() (string, error) { return "", errors.New("the file /run/key is empty") }
		c.Warn = func(_ context.Context, message string, fields map[string]any) { warned = fmt.Sprint(message, fields) }
	})
	_, err := FailoverBackends(client).Read(t.Context(), "bkdfo_1", time.Time{})
	if answer, ok := errors.AsType[*Error](err); !ok || answer.Status != http.StatusUnauthorized || service.refused.Load() != 1 {
		t.Errorf("%d refused: %v", service.refused.Load(), err)
	}
	if !strings.Contains(warned, "the file /run/key is empty") {
		t.Errorf("warned: %q", warned)
	}
}

func TestSecrets_laterKeys(t *testing.T) {
	t.Parallel()
	known := newSecrets(Config{APIKey: longKey})
	shared := known // the client and the log have copies
	known.learn("second-key-of-the-test")
	known.learn("hunter3-43")
	for _, key := range []string{longKey, "second-key-of-the-test", "hunter3-43"} {
		for form, text := range forms(key) {
			if key == longKey || !strings.HasPrefix(form, "base64") { // a short key is secret as a whole word only
				if got := shared.redact("key " + text + " is not valid"); got != redacted {
					t.Errorf("%s of %s: %q", form, key, got)
				}
			}
		}
	}
	if text := "an ordinary message"; shared.redact(text) != text {
		t.Error("an ordinary message is hidden")
	}
}
