package main

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestLogin_needsAnAdminKey(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.expect = []string{"401", "403"} // the browser reports them in the console
	u.do(chromedp.Navigate(u.URL + "/_testserver/"))
	u.see(`!document.querySelector("#login").hidden && document.querySelector("#main").hidden`)
	for _, wrong := range []struct{ key, message string }{
		{"none", "not valid"}, {"schlüssel", "not valid"}, {u.OrdinaryKey, "not the key of an admin"},
	} {
		u.write("#key", wrong.key+"\r")
		u.seeText("#login-error", wrong.message)
	}
	u.write("#key", u.Key+"\r")
	u.seeText("#status", "Live")
	u.see(`document.querySelector("#login").hidden`)
	if text := value[string](u, `document.body.textContent + location.href`); strings.Contains(text, u.Key) {
		t.Error("the key is visible")
	}
}

func TestLogin_takesTheKeyFromTheAddress(t *testing.T) {
	t.Parallel()
	u := newUser(t, "-api-key", "a+key&of=odd#signs%41")
	u.open()
	if address := value[string](u, `location.href`); address != u.URL+"/_testserver/#requests" {
		t.Errorf("the address is %s", address)
	}
}

func TestRequests_appearWithoutSecrets(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	u.seeText("#no-requests", "No requests yet")
	upload := certificate("www.example.com")
	u.create("/tls_certificates", upload)
	u.call(404, http.MethodGet, "/ssh_credentials/"+u.Key, nil)
	u.see(`document.querySelectorAll("#request-list .row").length === 2`)
	u.seeText("#request-list", "(redacted)")
	u.clickText("#request-list .row", "POST")
	u.seeText("#details", "subject_common_name")
	u.seeText("#details", `"private_key_pem": "(redacted)"`)
	text := value[string](u, `document.body.textContent`)
	if strings.Contains(text, "PRIVATE KEY") || strings.Contains(text, u.Key) {
		t.Error("a secret is visible")
	}
	u.click("#details .close")
	u.see(`document.querySelector("#details").hidden`)
}

// The page shows the command that repeats a request, and the ends of long paths.
func TestRequests_repeatWithCurl(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	u.seeText("#no-requests", "export TUNNEL_BASE_URL="+u.URL)
	u.click("#no-requests .copy")
	u.see(`getSelection().toString().includes("TUNNEL_BASE_URL")`)
	edge := u.Parents.TLSEdge
	u.call(200, http.MethodPut, "/edges/tls/"+edge+"/policy", fields{"inbound": []any{fields{"actions": []any{fields{"type": "deny"}}, "name": "it's"}}})
	u.see(`document.querySelectorAll("#request-list .row").length === 1`)
	u.see(`document.querySelector("#request-list .path").textContent.endsWith("/policy")`)
	u.clickText("#request-list .row", "PUT")
	u.seeText("#details .copied", "curl -X PUT")
	command := value[string](u, `document.querySelector("#details .copied pre").textContent`)
	out, err := exec.Command("sh", "-c", "export TUNNEL_API_KEY='"+u.Key+"'; "+command+" -s -o /dev/null -w '%{http_code}'").CombinedOutput()
	if err != nil || string(out) != "200" {
		t.Errorf("%s\nends with %v: %s", command, err, out)
	}
	u.see(`document.querySelectorAll("#request-list .row").length === 2`)
	u.click("#details .close")
	u.do(chromedp.KeyEvent("/"))
	u.see(`document.activeElement.id === "request-filter"`)
	answer, err := http.Get(u.URL + "/_testserver") // without the slash
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Request.URL.Path != "/_testserver/" {
		t.Errorf("the address without a slash leads to %s: %s", answer.Request.URL, answer.Status)
	}
}

func TestRequests_filter(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	u.create("/backends/tunnel_group", fields{"labels": fields{"a": "b"}})
	u.call(404, http.MethodGet, "/edges/tls/none", nil)
	u.call(200, http.MethodGet, "/edges/tls", nil)
	u.see(`document.querySelectorAll("#request-list .row").length === 3`)
	u.write("#request-filter", "edges 404")
	u.see(`document.querySelectorAll("#request-list .row").length === 1`)
	u.seeText("#request-summary", "1 of 3")
	u.call(404, http.MethodGet, "/edges/tcp/none", nil)
	u.see(`document.querySelectorAll("#request-list .row").length === 2`)
	u.write("#request-filter", "nothing like this")
	u.seeText("#no-requests", "No request matches")
}

// The requests of one client without a pause are a run, which says what is certain of it.
func TestRequests_runs(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	as := func(agent, method, path string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, u.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Authorization": {"Bearer " + u.Key}, "Service-Version": {"2"}, "User-Agent": {agent}}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	runs := func(want ...string) {
		t.Helper()
		u.see(fmt.Sprintf(`[...document.querySelectorAll("#request-list .run")].sort((a, b) => b.ariaPosInSet - a.ariaPosInSet)
			.map((run) => run.ariaLabel).join("\n") === %q`, strings.Join(want, "\n")))
	}
	as("terraform/1", http.MethodGet, "/edges/tls")
	as("curl/8", http.MethodGet, "/edges/tls/none")
	as("terraform/1", http.MethodGet, "/edges/tcp")
	plan, look := "Run, reads only, 2 GET, terraform/1", "Run, reads only, 1 GET, 1 not found, curl/8"
	runs(plan, look)
	u.call(200, http.MethodPost, "/_testserver/clock", fields{"advance": "3s"}) // a pause ends a run
	as("terraform/1", http.MethodGet, "/edges/tls")
	as("terraform/1", http.MethodDelete, "/edges/tls/"+u.Parents.TLSEdge)
	apply := "Run, changes, 1 GET · 1 DELETE, terraform/1"
	runs(plan, look, apply)
	paths := `[...document.querySelectorAll("#request-list > .space > *")].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet)
		.map((row) => row.querySelector(".path")?.textContent ?? "run").join(" ")`
	u.see(paths + ` === "run /edges/tls/" + ` + fmt.Sprintf("%q", u.Parents.TLSEdge[:14]+"…"+u.Parents.TLSEdge[len(u.Parents.TLSEdge)-6:]) +
		` + " /edges/tls run /edges/tls/none run /edges/tcp /edges/tls"`)
	u.do(chromedp.Focus(chromedp.CSS("#request-list")), chromedp.KeyEvent(kb.Home+kb.Enter))
	runs(plan, look, apply+", collapsed")
	u.see(`document.querySelectorAll("#request-list .row").length === 3`)
	u.write("#request-filter", "curl/8")
	runs(look)
}

func TestRequests_pause(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	u.click("#pause")
	u.call(200, http.MethodGet, "/edges/tls", nil)
	u.seeText("#request-summary", "1 waiting")
	u.click("#pause")
	u.see(`document.querySelectorAll("#request-list .row").length === 1`)
}

func TestFailures_injectAndClear(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	u.clickText("#inject button", "429")
	u.seeText("#behavior-count", "1")
	u.call(429, http.MethodGet, "/edges/tls", nil)
	u.call(200, http.MethodGet, "/edges/tls", nil) // it was for one request
	u.seeText("#request-list .tag.warn", "429")
	u.do(view("#behavior"))
	u.seeText("#behavior .rules", "1 of 2 matching requests")
	u.clickText("#behavior button", "Clear")
	u.see(`!document.querySelector("#behavior .rules")`)

	u.do(view("#requests"))
	value[any](u, `document.querySelectorAll("#inject select").forEach((select, i) => {
		select.value = ["all requests", "any method", "/ssh_credentials"][i];
	})`)
	u.clickText("#inject button", "Lost answer")
	u.seeText("#behavior-count", "1")
	if _, _, err := u.send(t.Context(), http.MethodPost, "/ssh_credentials", fields{}); err == nil {
		t.Error("the answer is not lost")
	}
	u.call(200, http.MethodGet, "/ssh_credentials", nil) // only a POST can leave something behind
	u.see(`[...document.querySelectorAll("#request-list .row")].some((row) => row.textContent.includes("reset_after"))`)
	u.clickText("#inject button", "Clear")
	u.see(`document.querySelector("#behavior-count").textContent === ""`)
}

// What is pressed stays until the release, although the page gets news in between.
func TestPress_newsInBetween(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	backend := u.create("/backends/tunnel_group", fields{"labels": fields{"app": "web"}})
	u.open()
	u.do(view("#map"))
	release := u.press(`.node[data-key="` + backend + `"]`)
	added := u.create("/backends/tunnel_group", fields{"labels": fields{"app": "added"}})
	u.poll()
	release()
	u.seeText("#details h2", "app=web")
	u.see(`document.querySelector('.node.new[data-key="` + added + `"]')`)

	u.clickText("#inject button", "429")
	u.do(view("#behavior"))
	u.seeText("#behavior .rules", "0 of 0 matching requests")
	release = u.press(`#behavior .actions button.clear:enabled`)
	u.call(429, http.MethodGet, "/edges/tls", nil)
	u.poll()
	release()
	u.see(`!document.querySelector("#behavior .rules")`)
}

func TestReset_asksFirst(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	id := u.create("/backends/tunnel_group", fields{"labels": fields{"app": "gone"}})
	u.see(`document.querySelectorAll("#request-list .row").length === 1`)
	u.do(view("#behavior"))
	u.clickText("#behavior button", "Reset")
	u.clickText("#reset-dialog button", "Cancel")
	u.call(200, http.MethodGet, "/backends/tunnel_group/"+id, nil)
	u.clickText("#behavior button", "Reset")
	u.click("#reset-dialog .danger")
	u.do(view("#requests"))
	u.seeText("#no-requests", "No requests yet")
	u.call(404, http.MethodGet, "/backends/tunnel_group/"+id, nil)
}

func TestPage_survivesARestart(t *testing.T) {
	t.Parallel()
	u := newUser(t, "-api-key", "the-same-key")
	u.expect = []string{"ERR_CONNECTION"}
	u.open()
	old := u.create("/backends/tunnel_group", fields{"labels": fields{"app": "before"}})
	u.see(`document.querySelectorAll("#request-list .row").length === 1`)
	u.end()
	u.seeText("#status", "No answer from the server")
	again, wait, err := start(t.Context(), filepath.Join(buildDir, "tunnel-testserver"), t.TempDir(),
		"-api-key", "the-same-key", "-listen", strings.TrimPrefix(u.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = wait() })
	u.server = again
	u.seeText("#status", "Live")
	u.see(`document.querySelectorAll("#request-list .row").length === 0`)
	u.create("/backends/tunnel_group", fields{"labels": fields{"app": "after"}})
	u.see(`document.querySelectorAll("#request-list .row").length === 1`)
	u.do(view("#objects"))
	u.seeText("#object-list", "app=after")
	if text := value[string](u, `document.querySelector("#object-list").textContent`); strings.Contains(text, "app=before") {
		t.Errorf("the object %s of the server before is visible", old)
	}
}
