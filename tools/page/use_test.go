package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

var buildOnce = sync.OnceValues(func() (string, error) {
	return build(context.Background(), buildDir)
})

var buildDir string

// The tests share one browser, whose start would be a fifth of their time. Each has a
// private context in it.
var browserOnce = sync.OnceValues(func() (browser context.Context, err error) {
	browser, endBrowser = openBrowser(context.Background(), findBrowser())
	return browser, chromedp.Do(browser)
})

var endBrowser = func() {}

func TestMain(m *testing.M) {
	var err error
	if buildDir, err = os.MkdirTemp("", "tunnel-page-"); err != nil {
		panic(err)
	}
	code := m.Run()
	endBrowser()
	os.RemoveAll(buildDir)
	os.Exit(code)
}

// user is somebody who looks at the page of a test server.
type user struct {
	*server
	t    *testing.T
	page context.Context
	end  func() // ends the server

	mutex   sync.Mutex
	wrong   []string // errors in the console
	foreign []string // requests to another origin
	expect  []string // parts of errors that the test expects
}

// newUser starts a server and a browser for a test. The test fails if the page writes an
// error to the console, or sends a request to another origin.
func newUser(t *testing.T, flags ...string) *user {
	t.Helper()
	if findBrowser() == "" {
		t.Skip("no browser is installed: install chromium to run this test")
	}
	program, err := buildOnce()
	if err != nil {
		t.Fatal(err)
	}
	browser, err := browserOnce()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(browser, 2*time.Minute)
	serving, stop := context.WithCancel(ctx)
	s, wait, err := start(serving, program, t.TempDir(), flags...)
	if err != nil {
		t.Fatal(err)
	}
	page, end := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	u := &user{server: s, t: t, page: page, end: sync.OnceFunc(func() {
		stop()
		_ = wait() // it was killed
	})}
	t.Cleanup(func() {
		end()
		u.end()
		cancel()
		u.mutex.Lock()
		defer u.mutex.Unlock()
		for _, text := range u.wrong {
			t.Errorf("in the console: %s", text)
		}
		for _, url := range u.foreign {
			t.Errorf("the page sent a request to %s", url)
		}
	})
	if err := chromedp.Listen(page, u.note); err != nil {
		t.Fatal(err)
	}
	u.do(sized(1280, 800, "light"))
	return u
}

// note looks at an event of the browser.
func (u *user) note(event any) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		if url := event.Request.URL; !strings.HasPrefix(url, u.URL+"/_testserver/") && url != "about:blank" && len(u.expect) == 0 {
			u.foreign = append(u.foreign, url)
		}
	case *runtime.EventExceptionThrown:
		u.complain(event.ExceptionDetails.Text + " " + fmt.Sprint(event.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		u.complain(fmt.Sprint(event.Type, event.Args))
	case *log.EventEntryAdded:
		u.complain(event.Entry.Text + " " + event.Entry.URL)
	}
}

func (u *user) complain(text string) {
	for _, expected := range u.expect {
		if strings.Contains(text, expected) {
			return
		}
	}
	u.wrong = append(u.wrong, text)
}

func (u *user) do(actions ...chromedp.Action[chromedp.Void]) {
	u.t.Helper()
	if err := chromedp.Do(u.page, actions...); err != nil {
		u.t.Fatal(err)
	}
}

// open opens the page with the key, and waits until it is live.
func (u *user) open() {
	u.t.Helper()
	u.do(chromedp.Navigate(u.PageURL))
	u.see(`document.querySelector("#status").textContent === "Live"`)
	u.see(`document.querySelector("#object-count").textContent !== ""`)
}

// see waits until a JavaScript expression is true, at most for 20 seconds.
func (u *user) see(expression string) {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(u.page, 20*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, until(expression)); err != nil {
		text, _ := chromedp.Run(u.page, chromedp.Evaluate[string](`location.hash + "\n" + document.body.innerText`))
		u.t.Fatalf("%v\nthe page shows:\n%.3000s", err, text)
	}
}

// seeText waits until an element contains a text.
func (u *user) seeText(selector, text string) {
	u.t.Helper()
	u.see(fmt.Sprintf(`document.querySelector(%q).textContent.includes(%q)`, selector, text))
}

// click waits for an element and clicks where its center is. That stays right if the page
// replaces the element.
func (u *user) click(selector string) {
	u.t.Helper()
	u.see(fmt.Sprintf(`document.querySelector(%q)`, selector))
	box := value[map[string]float64](u, fmt.Sprintf(`(() => {
		const element = document.querySelector(%q);
		element.scrollIntoView({ block: "nearest", inline: "nearest" });
		return element.getBoundingClientRect().toJSON();
	})()`, selector))
	u.do(chromedp.MouseClickXY(box["x"]+box["width"]/2, box["y"]+box["height"]/2))
}

// clickText clicks the first element with this text, in one step: the page may replace it
// at any time.
func (u *user) clickText(selector, text string) {
	u.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll(%q)].find((found) => found.textContent.includes(%q))`, selector, text)
	u.see(`(() => { const found = ` + find + `; found?.click(); return Boolean(found); })()`)
}

// write writes into a field whose text it replaces.
func (u *user) write(selector, text string) {
	u.t.Helper()
	value[string](u, fmt.Sprintf(`document.querySelector(%q).value = ""`, selector))
	u.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// value returns the value of a JavaScript expression.
func value[T any](u *user, expression string) T {
	u.t.Helper()
	found, err := chromedp.Run(u.page, chromedp.Evaluate[T](expression))
	if err != nil {
		u.t.Fatalf("%s: %v", expression, err)
	}
	return found
}

// call sends a request to the server that must have a status.
func (u *user) call(status int, method, path string, body any) fields {
	u.t.Helper()
	got, answer, err := u.send(u.t.Context(), method, path, body)
	if err != nil || got != status {
		u.t.Fatalf("%s %s: %d %v %v, want %d", method, path, got, answer, err, status)
	}
	return answer
}

// create creates an object and returns its id.
func (u *user) create(path string, body fields) string {
	u.t.Helper()
	id, _ := u.call(http.StatusCreated, http.MethodPost, path, body)["id"].(string)
	return id
}
