package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// server is a running test server.
type server struct {
	URL         string `json:"url"`
	PageURL     string `json:"page_url"`
	Key         string `json:"api_key"`
	OrdinaryKey string `json:"ordinary_api_key"`
	Parents     struct {
		HTTPSEdge      string `json:"https_edge"`
		HTTPSEdgeRoute string `json:"https_edge_route"`
		TLSEdge        string `json:"tls_edge"`
	} `json:"parents"`
}

// build builds the test server in a folder and returns its path.
func build(ctx context.Context, dir string) (string, error) {
	program := filepath.Join(dir, "tunnel-testserver")
	out, err := exec.CommandContext(ctx, "go", "build", "-C", "../..", "-o", program, "./testserver/cmd/tunnel-testserver").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the test server: %w\n%s", err, out)
	}
	return program, nil
}

// start starts the test server until the context ends. wait waits for its end.
func start(ctx context.Context, program, dir string, flags ...string) (s *server, wait func() error, err error) {
	ready := filepath.Join(dir, "ready.json")
	cmd := exec.CommandContext(ctx, program, append([]string{"-listen", "127.0.0.1:0", "-ready-file", ready}, flags...)...)
	printed, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	if _, err := bufio.NewReader(printed).ReadString('\n'); err != nil { // it prints when it listens
		return nil, nil, errors.Join(err, cmd.Wait())
	}
	content, err := os.ReadFile(ready)
	if err != nil {
		return nil, nil, err
	}
	s = &server{}
	return s, cmd.Wait, json.Unmarshal(content, s)
}

// send sends a request and returns the JSON object of the answer.
func (s *server) send(ctx context.Context, method, path string, body any) (status int, answer map[string]any, err error) {
	content, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	if body == nil {
		content = nil
	}
	r, err := http.NewRequestWithContext(ctx, method, s.URL+path, bytes.NewReader(content))
	if err != nil {
		return 0, nil, err
	}
	r.Header = http.Header{"Authorization": {"Bearer " + s.Key}, "Service-Version": {"2"}, "Content-Type": {"application/json"}}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && len(text) > 0 {
		err = json.Unmarshal(text, &answer)
	}
	return response.StatusCode, answer, err
}

// browsers are the names of the programs that can show the page.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// findBrowser returns the path of a browser, or "" if there is none.
func findBrowser() string {
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// openBrowser starts a browser without a window.
func openBrowser(ctx context.Context, path string) (context.Context, context.CancelFunc) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("font-render-hinting", "none"), chromedp.WSURLReadTimeout(time.Minute))
	ctx, stopProcess := chromedp.NewExecAllocator(ctx, options...)
	ctx, stop := chromedp.NewContext(ctx)
	return ctx, func() {
		stop()
		stopProcess()
	}
}

// sized sets the size of the page, and the color scheme, "light" or "dark".
func sized(width, height int64, scheme string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		metrics := emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 700}
		if _, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, metrics); err != nil {
			return err
		}
		colors := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: colors})
		return err
	})
}

// until waits until a JavaScript expression is true. The browser evaluates it, so the
// policy of the page does not apply.
func until(expression string) chromedp.Action[chromedp.Void] {
	script := `new Promise((resolve) => {
		const look = () => { let yes = false; try { yes = ` + expression + ` } catch {} yes ? resolve(true) : setTimeout(look, 20); };
		look();
	})`
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Evaluate[bool](script, chromedp.EvalAwaitPromise)(ctx, t)
		if err != nil {
			err = fmt.Errorf("wait for %s: %w", expression, err)
		}
		return err
	})
}

// view goes to a fragment of the address.
func view(fragment string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Evaluate[string](fmt.Sprintf("location.hash = %q", fragment))(ctx, t)
		return err
	})
}
