package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Somebody makes the server slow and odd, by keyboard and by mouse, and the log says from
// where on.
func TestBehavior_switches(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.expect = []string{"400", "409"} // the browser reports them in the console
	u.open()
	u.do(view("#behavior"))
	u.see(`document.querySelectorAll("#behavior button.tag").length > 50`)
	const name = `#behavior input[aria-label="Behavior"]`
	u.write(name, "dely=30ms"+kb.Enter)
	u.seeText("#behavior .error", "did you mean delay?")
	u.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(2)), chromedp.KeyEvent(kb.Backspace))
	u.clickText("#behavior button.tag", "delay") // writes the name
	u.do(chromedp.KeyEvent("30ms" + kb.Enter))
	u.see(`document.querySelector("#behavior .error").textContent === ""`)
	u.clickText("#behavior button.tag", "list_small_pages")
	u.see(`document.querySelector("#behavior [data-name=list_small_pages]").getAttribute("aria-pressed") === "true"`)
	u.call(200, http.MethodGet, "/edges/tls", nil)
	u.do(view("#requests"))
	for _, note := range []string{"From here: behavior: delay=30ms", "From here: behavior: delay=30ms, list_small_pages"} {
		u.see(fmt.Sprintf(`[...document.querySelectorAll("#request-list .note")].some((row) => row.textContent.includes(%q))`, note))
	}
	u.see(`parseFloat(document.querySelector("#request-list .row .duration").textContent) >= 30`)
	u.clickText("#request-list .note", "list_small_pages")
	u.seeText("#details pre", `"list_small_pages"`)
	u.do(view("#behavior"))
	u.click(`[aria-label="Remove delay=30ms"]`)
	u.see(`document.querySelectorAll("#behavior [aria-pressed=true]").length === 1`)
	u.clickText("#behavior button:enabled", "Clear")
	u.see(`!document.querySelector("#behavior [aria-pressed=true]")`)
	const snapshot = `#behavior input[aria-label="Name of a snapshot"]`
	u.write(snapshot, "before"+kb.Enter)
	u.see(`document.querySelector("[aria-label='Restore before']")`)
	u.write(snapshot, "before"+kb.Enter)
	u.see(`[...document.querySelectorAll("#behavior .error")].some((found) => found.textContent.includes("exists: delete it"))`)
	before := value[string](u, `document.querySelector("#object-count").textContent`)
	u.create("/backends/tunnel_group", fields{"labels": fields{"app": "web"}})
	u.see(fmt.Sprintf(`document.querySelector("#object-count").textContent !== %q`, before))
	u.clickText("#behavior button", "Restore")
	u.see(fmt.Sprintf(`document.querySelector("#object-count").textContent === %q`, before))
	u.clickText("#behavior button", "Delete")
	u.see(`!document.querySelector("[aria-label='Restore before']")`)
}

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
