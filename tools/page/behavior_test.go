package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestBehavior_showsWhatIsInForce(t *testing.T) {
	t.Parallel()
	u := newUser(t, "-quirks", "7", "-normalize", "3", "-rate-limit", "9000/60s", "-max-concurrent", "50", "-latency", "1ms", "-require-reserved")
	u.open()
	u.do(view("#behavior"))
	u.see(`[...document.querySelectorAll("#behavior [aria-pressed=true]")].some((name) => name.textContent === "list_oldest_first")`)
	u.see(`[...document.querySelectorAll("#behavior input")].map((input) => input.value).join() === "1ms,9000/60s,50,"`)
	for _, text := range []string{"only reserved domains", "None. Inject one"} {
		u.seeText("#behavior", text)
	}
}

// Somebody makes the server slow and odd, by keyboard and by mouse, and the log says from
// where on.
func TestBehavior_switches(t *testing.T) {
	t.Parallel()
	u := newUser(t, "-max-concurrent", "9")
	u.expect = []string{"400", "409"} // the browser reports them in the console
	u.open()
	u.do(view("#behavior"))
	u.see(`document.querySelectorAll("#behavior button.tag").length > 50`)
	latency := `#behavior input[aria-label="Minimum latency"]`
	u.write(latency, "slow"+kb.Enter)
	u.seeText("#behavior .error", `such as "200ms"`)
	u.write(latency, "30ms")
	u.do(chromedp.KeyEvent(kb.Tab+"100/1s"+kb.Tab), chromedp.KeyEvent("a", chromedp.KeyModifiers(2)), chromedp.KeyEvent(kb.Backspace+kb.Enter))
	u.see(`document.querySelector("#behavior .error").textContent === ""`)
	u.clickText("#behavior button.tag", "list_small_pages")
	u.see(`document.querySelector("#behavior [aria-pressed=true]").textContent === "list_small_pages"`)
	u.call(200, http.MethodGet, "/edges/tls", nil)
	u.do(view("#requests"))
	for _, note := range []string{"From here: latency 30ms; rate limit 100/1s; no limit of concurrent requests", "From here: quirks list_small_pages"} {
		u.see(fmt.Sprintf(`[...document.querySelectorAll("#request-list .note")].some((row) => row.textContent.includes(%q))`, note))
	}
	u.see(`parseFloat(document.querySelector("#request-list .row .duration").textContent) >= 30`)
	u.clickText("#request-list .note", "latency")
	u.seeText("#details pre", `"latency": "30ms"`)
	u.do(view("#behavior"))
	u.clickText("#behavior button:enabled", "Switch all off")
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
	const slow, fault = `{"latency":"9s"}`, `[{"fault":"503"}]`
	for _, call := range []struct{ method, path, body string }{
		{"GET", "activity", ""}, {"POST", "reset", "{}"}, {"GET", "page/main.js", ""}, {"GET", "", ""},
		{"POST", "behavior", slow}, {"POST", "faults", fault}, {"DELETE", "objects/edges/tls/" + u.Parents.TLSEdge, ""},
	} {
		u.fetch(call.path, "refused", fmt.Sprintf(`{method: %q, body: %q || undefined, headers: {Authorization: "Bearer %s"}}`, call.method, call.body, u.Key))
	}
	for path, body := range map[string]string{"behavior": slow, "faults": fault, "reset": "{}"} {
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded"} {
			init := fmt.Sprintf(`{method: "POST", mode: "no-cors", body: %q, headers: {"Content-Type": %q}}`, body, kind)
			u.fetch(path, "answered", init) // with 401, which the other page cannot see
		}
	}
	if length := value[int](u, `window.frames[0].length`); length != 0 {
		t.Errorf("the frame holds %d frames", length)
	}
	after := u.call(200, http.MethodGet, "/_testserver/activity", nil)
	for _, what := range []string{"in_force", "last", "objects"} {
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
