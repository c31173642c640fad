package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
)

// A page of another origin can neither read nor change anything, even if it knows the
// key: a request with the key needs a permission, and one without it is refused.
func TestPage_otherOriginsCanDoNothing(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.expect = []string{"CORS", "ERR_FAILED", "frame", "X-Frame-Options", "favicon", "401"}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>other</title><iframe src=%q></iframe>", u.PageURL)
	}))
	defer other.Close()
	u.do(chromedp.Navigate(other.URL))
	before := u.call(200, http.MethodGet, "/_testserver/activity", nil)
	const slow = `["delay=9s"]`
	for _, call := range []struct{ method, path, body string }{
		{"GET", "activity", ""}, {"POST", "reset", "{}"}, {"GET", "page/main.js", ""}, {"GET", "", ""},
		{"POST", "behavior", slow}, {"DELETE", "objects/edges/tls/" + u.Parents.TLSEdge, ""},
	} {
		u.fetch(call.path, "refused", fmt.Sprintf(`{method: %q, body: %q || undefined, headers: {Authorization: "Bearer %s"}}`, call.method, call.body, u.Key))
	}
	for path, body := range map[string]string{"behavior": slow, "reset": "{}"} {
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded"} {
			init := fmt.Sprintf(`{method: "POST", mode: "no-cors", body: %q, headers: {"Content-Type": %q}}`, body, kind)
			u.fetch(path, "answered", init) // with 401, which the other page cannot see
		}
	}
	if length := value[int](u, `window.frames[0].length`); length != 0 {
		t.Errorf("the frame holds %d frames", length)
	}
	after := u.call(200, http.MethodGet, "/_testserver/activity", nil)
	for _, what := range []string{"rules", "last", "objects"} {
		if fmt.Sprint(after[what]) != fmt.Sprint(before[what]) {
			t.Errorf("%s is now %v, and was %v", what, after[what], before[what])
		}
	}
}

// fetch sends a request to a control endpoint from the page in the browser, which must be
// "answered" or "refused".
func (u *user) fetch(path, want, init string) {
	u.t.Helper()
	value[any](u, fmt.Sprintf(`window.done = null; fetch(%q, %s)
		.then(() => { window.done = "answered"; }, () => { window.done = "refused"; }); 0`, u.URL+"/_testserver/"+path, init))
	u.see(`window.done !== null`)
	if done := value[string](u, `window.done`); done != want {
		u.t.Errorf("a request for %q with %s is %s", path, init, done)
	}
}
