package main

import (
	"fmt"
	"net/http"
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
	u.call(404, http.MethodGet, `/%3Cimg%20src=x%20onerror=hacked=1%3E`, nil)
	for _, name := range []string{"requests", "objects", "map"} {
		u.do(view("#" + name))
		u.seeText("#object-count", fmt.Sprint(7+2*len(hostile)+2))
		for _, text := range hostile {
			if name != "requests" {
				u.seeText("#"+name, text.shown[:min(len(text.shown), 20)])
			}
		}
	}
	u.do(view("#objects"))
	u.write("#object-filter", "bot user")
	for _, text := range hostile {
		u.clickText("#object-list .row", text.shown)
		u.seeText("#details h2", text.shown)
	}
	u.write("#object-filter", "event source")
	u.clickText("#object-list .row", `<b>&\u{202e}"'.v0`)
	u.seeText("#details pre", "event_subscriptions")
	for name, wrong := range map[string]string{
		"elements came from texts": `document.querySelector("img:not(.brand img), script:not([src]), b:not(.chip b), iframe, [onerror], [style*=expression]") !== null`,
		"a text was run":           `"hacked" in window`,
		"a control character":      `/[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/.test(document.body.textContent)`,
		"the title has changed":    `document.title !== "Tunnel test server"`,
	} {
		if value[bool](u, wrong) {
			t.Error(name)
		}
	}
}

// The page fits phones, and can be used with a keyboard.
func TestPage_fitsEverybody(t *testing.T) {
	t.Parallel()
	u := newUser(t)
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
	u.do(view("#objects"))
	u.clickText("#object-list .row", "www.example.com")
	u.see(`document.querySelector("#details").getBoundingClientRect().width === 390`)
	u.click("#details .close")
	u.do(view("#requests"), chromedp.Focus(chromedp.CSS("#request-list")), chromedp.KeyEvent(kb.Home+kb.ArrowDown+kb.Enter))
	u.see(`document.activeElement.id === "details"`)
	u.do(chromedp.KeyEvent(kb.Escape))
	u.see(`document.activeElement.id === "request-list"`)
	u.see(`document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).classList.contains("active")`)
	u.do(view("#map"), chromedp.Focus(chromedp.CSS(".node")), chromedp.KeyEvent(kb.Enter))
	u.seeText("#details dl", "ID")
	unnamed := value[[]string](u, `[...document.querySelectorAll("button, input, select, a")]
		.filter((control) => !(control.textContent.trim() || control.getAttribute("aria-label") || control.labels?.length))
		.map((control) => control.outerHTML)`)
	if len(unnamed) > 0 {
		t.Errorf("controls without a name: %v", unnamed)
	}
}
