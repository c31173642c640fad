package api

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

func TestCheck_tellsWhetherAddressAndKeyAreRight(t *testing.T) {
	t.Parallel()
	page := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { htmlPage(w, status) }
	}
	for name, test := range map[string]struct {
		answers []http.HandlerFunc // the last one is repeated
		want    string             // "" if there is no error
		asked   int
		within  time.Duration
	}{
		"200":           {[]http.HandlerFunc{body(200, `{"backends":[]}`)}, "", 1, 0},
		"401":           {[]http.HandlerFunc{body(401, `{"msg":"who are you"}`)}, "401 Unauthorized: who are you", 1, 0},
		"403":           {[]http.HandlerFunc{body(403, `{"msg":"not you"}`)}, "403 Forbidden", 1, 0},
		"404":           {[]http.HandlerFunc{body(404, notFound)}, "404 Not Found", 1, 0},
		"404 page":      {[]http.HandlerFunc{page(404)}, "base_url", 1, 0},
		"403 page":      {[]http.HandlerFunc{page(403)}, "base_url", 1, 0},
		"200 page":      {[]http.HandlerFunc{page(200)}, "base_url", 2, 2 * time.Second},
		"200 page once": {[]http.HandlerFunc{page(200), body(200, `{"backends":[]}`)}, "", 2, 2 * time.Second},
		"{}":            {[]http.HandlerFunc{body(200, `{}`)}, "no field backends", 2, 2 * time.Second},
		"redirect": {[]http.HandlerFunc{func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://login.example.com/", http.StatusFound)
		}}, "another origin", 1, 0},
		"429":                {[]http.HandlerFunc{body(429, `{"msg":"slow down"}`)}, "", 1, 0},
		"500 twice":          {[]http.HandlerFunc{body(500, `{"msg":"down"}`)}, "", 2, 2 * time.Second},
		"503 twice":          {[]http.HandlerFunc{body(503, `{"msg":"down"}`)}, "", 2, 2 * time.Second},
		"502 page twice":     {[]http.HandlerFunc{page(502)}, "502 Bad Gateway", 2, 2 * time.Second},
		"503 once, then 401": {[]http.HandlerFunc{body(503, `{"msg":"down"}`), body(401, `{"msg":"who"}`)}, "401 Unauthorized", 2, 2 * time.Second},
		"closed once":        {[]http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) { hangUp(w) }, body(200, `{"backends":[]}`)}, "", 2, 2 * time.Second},
		"closed":             {[]http.HandlerFunc{func(w http.ResponseWriter, _ *http.Request) { hangUp(w) }}, "closed the connection before the response was complete", 2, 2 * time.Second},
		"black hole":         {[]http.HandlerFunc{func(http.ResponseWriter, *http.Request) { time.Sleep(time.Minute) }}, "no response within 10s", -1, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			inBubble(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet || r.URL.Path != "/backends/failover" {
					t.Errorf("asked %s %s", r.Method, r.URL)
				}
				n := int(asked.Add(1))
				test.answers[min(n, len(test.answers))-1](w, r)
			}, func(t *testing.T, client *Client) {
				begun := time.Now()
				err := client.Check(t.Context())
				if (err == nil) != (test.want == "") || test.asked >= 0 && int(asked.Load()) != test.asked {
					t.Errorf("got %v after %d requests", err, asked.Load())
				}
				if err != nil {
					contains(t, err.Error(), test.want)
					readsAsASentence(t, err)
				}
				if took := time.Since(begun); took > test.within {
					t.Errorf("took %s", took)
				}
			})
		})
	}
}

func TestCheck_limitsTwoSlowAttempts(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	inBubble(t, func(http.ResponseWriter, *http.Request) {
		asked.Add(1)
		time.Sleep(time.Minute)
	}, func(t *testing.T, client *Client) {
		begun := time.Now()
		err := client.Check(t.Context())
		if err == nil || asked.Load() != 2 || time.Since(begun) > 10*time.Second {
			t.Errorf("got %v after %d requests and %s", err, asked.Load(), time.Since(begun))
		}
	}, func(c *Config) { c.RequestTimeout = 3 * time.Second })
}

// The wait for a rate limit belongs to the operations after the check.
func TestCheck_doesNotCloseTheGate(t *testing.T) {
	t.Parallel()
	inBubble(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == RootKind.Path {
			w.Header().Set("Retry-After", "30")
			apiError(w, 429, `{"msg":"slow down"}`)
			return
		}
		apiError(w, 200, `{"id":"x"}`)
	}, func(t *testing.T, client *Client) {
		begun := time.Now()
		if err := client.Check(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{}); err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("the check and a read take %s", took)
		}
	})
}
