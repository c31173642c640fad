package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func withBulk(c *Config) { c.BulkReads = true }

func TestBulk_keepsItsBound(t *testing.T) {
	t.Parallel()
	seeds := uint64(60)
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 7))
		n, size, parallel := random.IntN(400), 1+random.IntN(100), 1+random.IntN(10)
		a := newAccount(n, size)
		client := serve(t, a.ServeHTTP, withBulk)
		ids := slices.Clone(a.ids)
		random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		ids = ids[:random.IntN(n+1)]
		missing := random.IntN(4)
		for i := range missing {
			ids = slices.Insert(ids, random.IntN(len(ids)+1), fmt.Sprintf("sshcr_none%d", i))
		}

		if gone := readAll(t, client, ids, parallel); gone != missing {
			t.Errorf("seed %d: %d gone, want %d", seed, gone, missing)
		}
		reads, all := len(ids), max(1, (n+size-1)/size)
		pages, gets := int(a.pages.Load()), int(a.gets.Load())
		if missing > 0 {
			pages -= all // one walk through the list confirms all that are gone, and one more GET each
			gets -= missing
		}
		if pages > gets+parallel || pages > all || pages > reads {
			t.Errorf("seed %d: %d pages of %d after %d GETs for %d reads", seed, pages, all, gets, reads)
		}
		if best := min(reads, all); pages+gets > 2*best+missing {
			t.Errorf("seed %d: %d pages and %d GETs for %d reads (%d gone) of %d objects on %d pages: best is %d",
				seed, pages, gets, reads, missing, n, all, best)
		}
	}
}

func TestBulk_readsPagesAgainAfterAMinute(t *testing.T) {
	t.Parallel()
	a := newAccount(20, 100)
	inBubble(t, a.ServeHTTP, func(t *testing.T, client *Client) {
		objects := SSHCredentials.Of(client)
		for i, test := range []struct {
			after time.Duration
			pages int64
		}{{0, 1}, {freshness - time.Second, 1}, {time.Second, 2}} {
			time.Sleep(test.after)
			if object, ok := objects.Cached(t.Context(), a.ids[0]); !ok || object.ID != a.ids[0] {
				t.Errorf("read %d: it is on no page", i)
			}
			if pages := int64(a.pages.Load()); pages != test.pages {
				t.Errorf("read %d: %d pages, want %d", i, pages, test.pages)
			}
		}
	}, withBulk)
}

func TestBulk_turnedOffIsOneGETEach(t *testing.T) {
	t.Parallel()
	a := newAccount(20, 100)
	readAll(t, serve(t, a.ServeHTTP), a.ids, 5)
	if a.pages.Load() != 0 || a.gets.Load() != 20 {
		t.Errorf("%d pages, %d GETs", a.pages.Load(), a.gets.Load())
	}
}

func TestBulk_fallsBackToGETIfTheListFails(t *testing.T) {
	t.Parallel()
	a := newAccount(20, 5)
	var failed atomic.Int32
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ssh_credentials" && r.URL.Query().Get("from") != "" {
			failed.Add(1)
			apiError(w, http.StatusInternalServerError, `{"msg":"no lists today"}`)
			return
		}
		a.ServeHTTP(w, r)
	}, withBulk)
	if gone := readAll(t, client, a.ids, 4); gone != 0 || failed.Load() != 1 {
		t.Errorf("%d are gone, and the page that fails was requested %d times", gone, failed.Load())
	}
}

// After a write, and after one during a page, each read is a GET.
func TestBulk_neverReadsOwnWritesFromAPage(t *testing.T) {
	t.Parallel()
	const id = "sshcr_000001"
	for name, write := range map[string]func(context.Context, *Collection[SSHCredential]) error{
		"create": func(ctx context.Context, c *Collection[SSHCredential]) error {
			_, err := c.Create(ctx, SSHCredentialCreate{})
			return err
		},
		"failing update": func(ctx context.Context, c *Collection[SSHCredential]) error {
			_, err := c.Update(ctx, id, SSHCredentialUpdate{})
			return err
		},
		"delete": func(ctx context.Context, c *Collection[SSHCredential]) error {
			return deletion(c.Delete(ctx, "sshcr_000002", time.Time{}))
		},
	} {
		for _, during := range []bool{false, true} {
			a := newAccount(3, 100)
			var client *Client
			var once sync.Once
			writes := func() {
				if err := write(t.Context(), SSHCredentials.Of(client)); (err != nil) != (name == "failing update") {
					t.Error(err)
				}
			}
			client = serve(t, func(w http.ResponseWriter, r *http.Request) {
				switch r.Method {
				case http.MethodDelete:
					w.WriteHeader(http.StatusNoContent)
				case http.MethodPost:
					io.WriteString(w, `{"id":"sshcr_000003"}`)
				case http.MethodPatch:
					apiError(w, http.StatusInternalServerError, `{"msg":"perhaps"}`)
				default:
					if during && r.URL.Path == "/ssh_credentials" {
						once.Do(writes)
					}
					a.ServeHTTP(w, r)
				}
			}, withBulk)
			if _, err := cachedOrRead(t.Context(), client, "sshcr_000000"); err != nil {
				t.Fatal(err)
			}
			if !during {
				writes()
			}
			if object, err := cachedOrRead(t.Context(), client, id); err != nil || object.Description != "from GET" {
				t.Errorf("%s, during a page %v: read %+v, %v; want what GET says", name, during, object, err)
			}
		}
	}
}

func TestBulk_cancelledReaderDoesNotFailTheOthers(t *testing.T) {
	t.Parallel()
	a := newAccount(2, 100)
	started, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		once.Do(func() {
			close(started)
			<-release
		})
		a.ServeHTTP(w, r)
	}, withBulk)
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := cachedOrRead(ctx, client, a.ids[0])
		first <- err
	}()
	<-started
	second := make(chan error, 1)
	go func() {
		_, err := cachedOrRead(t.Context(), client, a.ids[1])
		second <- err
	}()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled reader got %v", err)
	}
	close(release)
	if err := <-second; err != nil {
		t.Errorf("the other reader got %v", err)
	}
}

// A page with an error must not answer a read.
func TestBulk_takesNothingFromABadPage(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"cut":      `{"ssh_credentials":[{"id":"a","description":"from a page"}`,
		"bad item": `{"ssh_credentials":[{"id":"a","description":"from a page"},{"id":"../x"}]}`,
		"no id":    `{"ssh_credentials":[{"id":"a","description":"from a page"},{}]}`,
		"followed": `{"ssh_credentials":[{"id":"a","description":"from a page"}]}x`,
	} {
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/ssh_credentials" {
				io.WriteString(w, page)
				return
			}
			io.WriteString(w, `{"id":"a","description":"from GET"}`)
		}, withBulk)
		if object, err := cachedOrRead(t.Context(), client, "a"); err != nil || object.Description != "from GET" {
			t.Errorf("%s: got %+v, %v", name, object, err)
		}
	}
}
