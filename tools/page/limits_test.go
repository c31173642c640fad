package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hostile are texts that must neither become markup nor change the text around them.
var hostile = []struct{ text, shown string }{
	{`<img src=x onerror="hacked=1">`, `<img src=x onerror="hacked=1">`},
	{`"><script>hacked=1</script>`, `"><script>hacked=1</script>`},
	{"</title></text></svg><a href=javascript:hacked=1>x", "</title></text></svg><a href=javascript:hacked=1>x"},
	{"bell\a and \x1b[31mred", `bell\u{7} and \u{1b}[31mred`},
	{"gnp.\u202eevil", `gnp.\u{202e}evil`},
	{"\u2067isolated\u2069 and \u200bno width", `\u{2067}isolated\u{2069} and \u{200b}no width`},
	{"שלום עולם", "שלום עולם"},
	{"${hacked=1} {{hacked=1}} `", "${hacked=1} {{hacked=1}} `"},
}

func TestPage_hostileTexts(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	for _, text := range hostile {
		id := u.create("/backends/http_response", fields{"description": text.text, "body": text.text})
		u.create("/bot_users", fields{"name": text.text})
		u.call(200, http.MethodGet, "/backends/http_response/"+id, nil)
	}
	u.create("/event_subscriptions", fields{"sources": []fields{{"type": "<b>&\u202e\"'.v0"}}})
	_, _, err := u.send(t.Context(), http.MethodGet, "/"+strings.ReplaceAll(`%3Cimg src=x onerror=hacked=1%3E`, " ", "%20"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"requests", "objects", "map"} {
		u.do(view("#" + name))
		u.seeText("#object-count", fmt.Sprint(7+2*len(hostile)+2))
		for _, text := range hostile {
			if name != "requests" {
				u.seeText("#"+name, text.shown[:min(len(text.shown), 20)])
			}
		}
	}
	for _, text := range hostile {
		u.do(view("#objects"))
		u.write("#object-filter", "bot user")
		u.clickText("#object-list .row", text.shown)
		u.seeText("#details h2", text.shown)
		u.seeText("#details pre", "bot_")
	}
	u.write("#object-filter", "event source")
	u.clickText("#object-list .row", `<b>&\u{202e}"'.v0`)
	u.seeText("#details pre", "event_subscriptions")
	if n := value[int](u, `document.querySelectorAll("img:not(.brand img), script:not([src]), b:not(.chip b), iframe, [onerror], [style*=expression]").length`); n != 0 {
		t.Errorf("%d elements came from texts", n)
	}
	if hacked := value[bool](u, `"hacked" in window`); hacked {
		t.Error("a text was run")
	}
	if raw := value[bool](u, `/[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent)`); raw {
		t.Error("a control character is in the page")
	}
	if n := value[int](u, `document.title === "Tunnel test server" ? 0 : 1`); n != 0 {
		t.Error("the title has changed")
	}
}

// seedOf writes a seed with n backends and returns its path.
func seedOf(t *testing.T, n int) string {
	t.Helper()
	var seed []fields
	for i := range n {
		seed = append(seed, fields{"path": "/backends/tunnel_group", "body": fields{"labels": fields{"number": fmt.Sprint(i)}}})
	}
	content, err := json.Marshal(seed)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "seed.json")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestObjects_tenThousand(t *testing.T) {
	t.Parallel()
	u := newUser(t, "-seed", seedOf(t, 10_000))
	u.open()
	u.seeText("#object-count", "10,007")
	u.do(view("#objects"))
	u.see(`document.querySelector("#object-list .row")`)
	u.do(chromedp.Focus(chromedp.CSS("#object-list")), chromedp.KeyEvent(kb.End))
	u.see(`document.querySelector("#object-list .row.active[aria-posinset='10007']")`)
	if n := value[int](u, `document.querySelectorAll("#object-list .row").length`); n > 60 {
		t.Errorf("the list has %d rows", n)
	}
	u.write("#object-filter", "number=9999")
	u.see(`document.querySelectorAll("#object-list .row").length === 1`)
	u.do(view("#map"))
	u.seeText("#map-summary", "of 10,007 objects")
	if n := value[int](u, `document.querySelectorAll("#canvas .node").length`); n > 320 {
		t.Errorf("the map has %d nodes", n)
	}
	id := u.create("/edges/tls", fields{})
	u.see(`document.querySelector('.node.new[data-key="` + id + `"]')`) // what changes is in the drawing
}

func TestRequests_thousandASecond(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	var senders sync.WaitGroup
	for range 4 {
		senders.Go(func() {
			for range 1000 {
				if _, _, err := u.send(t.Context(), http.MethodGet, "/edges/tls", nil); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	u.see(`document.querySelectorAll("#request-list .row").length > 10`)
	value[any](u, `document.querySelector("#request-list").scrollTop = 100`)
	u.do(chromedp.KeyEvent(kb.Tab))
	senders.Wait()
	u.seeText("#request-count", "4,000")
	u.see(`parseInt(document.querySelector("#request-summary").textContent.replace(",", "")) > 1000`)
	if n := value[int](u, `document.querySelectorAll("#request-list .row").length`); n > 60 {
		t.Errorf("the list has %d rows", n)
	}
	if top := value[float64](u, `document.querySelector("#request-list").scrollTop`); top < 1000 {
		t.Errorf("the rows moved away under somebody who had scrolled: %.0f", top)
	}
}

func TestPage_fitsPhones(t *testing.T) {
	t.Parallel()
	u := newUser(t, "-behavior", "seed=7")
	if err := u.fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, scheme := range []string{"light", "dark"} {
		u.do(sized(390, 844, scheme))
		u.open()
		for _, name := range []string{"requests", "objects", "map", "behavior"} {
			u.do(view("#" + name))
			u.see(`!document.querySelector("#` + name + `").hidden`)
			wide := value[[]string](u, `[document.documentElement, document.body, ...document.querySelectorAll("section:not([hidden]), .list, .tools, aside:not([hidden])")]
				.filter((part) => part.scrollWidth > part.clientWidth + 1 || part.getBoundingClientRect().right > 391)
				.map((part) => part.tagName + "#" + part.id + "." + part.className)`)
			if len(wide) > 0 {
				t.Errorf("%s: too wide: %v", name, wide)
			}
		}
	}
	u.do(view("#requests"))
	u.call(200, http.MethodGet, "/edges/https/"+u.Parents.HTTPSEdge+"/routes/"+u.Parents.HTTPSEdgeRoute+"/websocket_tcp_converter", nil)
	u.see(`document.querySelector("#request-list .path[title$=websocket_tcp_converter]")`)
	hidden := `[...document.querySelectorAll("#request-list .path")].map((path) => [path.textContent, path.getBoundingClientRect(), path.firstChild.getBoundingClientRect()])
		.filter(([, shown, text]) => text.right > shown.right + 1).map(([text]) => text)`
	if cut := value[[]string](u, hidden); len(cut) > 0 {
		t.Errorf("the ends of paths are cut: %q", cut)
	}
	u.do(view("#objects"))
	u.clickText("#object-list .row", "www.example.com")
	u.see(`document.querySelector("#details").getBoundingClientRect().width === 390`)
	u.click("#details .close")
	u.see(`document.querySelector("#details").hidden`)
}

func TestPage_keyboard(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	if err := u.fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	u.open()
	u.do(chromedp.Focus(chromedp.CSS("#request-list")), chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown))
	u.see(`document.querySelector("#request-list .row.active[aria-posinset='2']")`)
	u.see(`document.getElementById(document.querySelector("#request-list").getAttribute("aria-activedescendant")).classList.contains("active")`)
	u.do(chromedp.KeyEvent(kb.Enter))
	u.see(`document.activeElement.id === "details"`)
	u.do(chromedp.KeyEvent(kb.Escape))
	u.see(`document.activeElement.id === "request-list"`)
	u.do(chromedp.KeyEvent(kb.End))
	u.see(`document.querySelector("#request-list .row.active").getAttribute("aria-posinset") === document.querySelector("#request-list .row").getAttribute("aria-setsize")`)
	u.do(view("#map"), chromedp.Focus(chromedp.CSS(".node")), chromedp.KeyEvent(kb.Enter))
	u.seeText("#details dl", "ID")
	unnamed := value[[]string](u, `[...document.querySelectorAll("button, input, select, a")]
		.filter((control) => !(control.textContent.trim() || control.getAttribute("aria-label") || control.labels?.length))
		.map((control) => control.outerHTML)`)
	if len(unnamed) > 0 {
		t.Errorf("controls without a name: %v", unnamed)
	}
}
