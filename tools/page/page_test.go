package main

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestLogin_needsAnAdminKey(t *testing.T) {
	t.Parallel()
	u := newUser(t, "-api-key", "a+key&of=odd#signs%41")
	u.expect = []string{"401", "403"}               // the browser reports them in the console
	u.do(chromedp.Navigate(u.URL + "/_testserver")) // leads to the address with a slash
	u.see(`!document.querySelector("#login").hidden && document.querySelector("#main").hidden`)
	for _, wrong := range [][2]string{{"none", "not valid"}, {"schlüssel", "not valid"}, {u.OrdinaryKey, "not the key of an admin"}} {
		u.write("#key", wrong[0]+"\r")
		u.seeText("#login-error", wrong[1])
	}
	u.write("#key", u.Key+"\r")
	u.seeText("#status", "Live")
	u.open() // with the key in the address
	if text := value[string](u, `document.body.textContent + location.href`); strings.Contains(text, u.Key) || !strings.HasSuffix(text, u.URL+"/_testserver/#requests") {
		t.Errorf("the key is visible, or in the address: %s", text[len(text)-100:])
	}
}

// Requests appear without secrets, by run, and can be filtered, repeated and made to
// fail.
func TestRequests_appearRepeatAndFail(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	u.seeText("#no-requests", "export TUNNEL_BASE_URL="+u.URL)
	u.click("#no-requests .copy")
	u.see(`getSelection().toString().includes("TUNNEL_BASE_URL")`)
	u.create("/tls_certificates", certificate("www.example.com"))
	u.call(404, http.MethodGet, "/ssh_credentials/"+u.Key, nil)
	u.rows(2)
	u.seeText("#request-list", "(redacted)")
	u.clickText("#request-list .row", "POST")
	u.seeText("#details", `"private_key_pem": "(redacted)"`)
	if text := value[string](u, `document.body.textContent`); strings.Contains(text, "PRIVATE KEY") || strings.Contains(text, u.Key) {
		t.Error("a secret is visible")
	}
	u.call(200, http.MethodPut, "/edges/tls/"+u.Parents.TLSEdge+"/policy", fields{"inbound": []any{fields{"actions": []any{fields{"type": "deny"}}, "name": "it's"}}})
	u.clickText("#request-list .row", "PUT")
	u.seeText("#details .copied", "curl -X PUT")
	command := value[string](u, `document.querySelector("#details .copied pre").textContent`)
	out, err := exec.Command("sh", "-c", "export TUNNEL_API_KEY='"+u.Key+"'; "+command+" -s -o /dev/null -w '%{http_code}'").CombinedOutput()
	if err != nil || string(out) != "200" {
		t.Errorf("%s\nends with %v: %s", command, err, out)
	}
	u.rows(4)
	u.seeText("#request-list .run", "PUT") // a run of curl
	u.click("#details .close")
	u.do(chromedp.KeyEvent("/"))
	u.see(`document.activeElement.id === "request-filter"`)
	u.write("#request-filter", "404")
	u.rows(1)
	u.write("#request-filter", " "+kb.Backspace)
	u.call(200, http.MethodPost, "/_testserver/clock", fields{"advance": "3s"}) // a pause ends a run
	u.click("#pause")
	u.call(200, http.MethodGet, "/edges/tls", nil)
	u.seeText("#request-summary", "1 waiting")
	u.click("#pause")
	u.see(`document.querySelectorAll("#request-list .run").length === 3`)

	u.clickText("#inject button", "429")
	u.seeText("#behavior-count", "1")
	u.call(429, http.MethodGet, "/edges/tls", nil)
	u.call(200, http.MethodGet, "/edges/tls", nil) // it was for one request
	u.seeText("#request-list .tag.warn", "429")
	u.see(`document.querySelector("#behavior-count").textContent === ""`)
	value[any](u, `document.querySelectorAll("#inject select").forEach((select, i) => { select.value = ["all requests", "any method", "/ssh_credentials"][i]; })`)
	u.clickText("#inject button", "Lost answer")
	u.seeText("#behavior-count", "1")
	if _, _, err := u.send(t.Context(), http.MethodPost, "/ssh_credentials", fields{}); err == nil {
		t.Error("the answer is not lost")
	}
	u.call(200, http.MethodGet, "/ssh_credentials", nil) // only a POST can leave something behind
	u.clickText("#inject button", "Clear")
	u.see(`document.querySelector("#behavior-count").textContent === ""`)
	u.clickText("#tabs a", "Behavior")
	u.clickText("#behavior button", "Advance a day")
	u.seeText("#behavior p.rule", time.Now().UTC().Add(24*time.Hour).Format(time.DateOnly))
}

// rows waits for so many requests in the list.
func (u *user) rows(n int) {
	u.t.Helper()
	u.see(fmt.Sprintf(`document.querySelectorAll("#request-list .row").length === %d`, n))
}
