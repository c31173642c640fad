// Command page makes the screenshots of the test server's page. The tests of this
// package use the page in a real browser. It is a module of its own, because users of
// the test server do not need a browser.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/chromedp/chromedp"
)

func main() {
	to := flag.String("to", "../../testserver/screenshots", "write the screenshots to `DIR`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := screenshots(ctx, *to)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

func screenshots(ctx context.Context, to string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	browser := findBrowser()
	if browser == "" {
		return errors.New("there is no browser: install chromium")
	}
	dir, err := os.MkdirTemp("", "tunnel-page-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program, err := build(ctx, dir)
	if err != nil {
		return err
	}
	s, _, err := start(ctx, program, dir)
	if err != nil {
		return err
	}
	if err := s.fill(ctx); err != nil {
		return err
	}
	page, end := openBrowser(ctx, browser)
	defer end()
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := chromedp.Do(page, sized(1280, 800, "light"), chromedp.Navigate(s.PageURL),
		until(`document.querySelector("#object-count").textContent !== ""`)); err != nil {
		return err
	}
	if err := s.use(ctx); err != nil {
		return err
	}
	shots := []struct{ name, address, ready, follow string }{
		{"requests", "#requests", `document.querySelector(".tag.warn")`, ""},
		{"map", "#map", `document.querySelector("#canvas .node.new")`, "https://www.example.com/"},
	}
	for _, shot := range shots {
		if err := chromedp.Do(page, view(shot.address), until(shot.ready)); err != nil {
			return fmt.Errorf("%s: %w", shot.name, err)
		}
		if shot.follow != "" {
			err := chromedp.Do(page, chromedp.SendKeys(chromedp.CSS("#follow"), shot.follow), until(`document.querySelector("#canvas .line.near")`))
			if err != nil {
				return fmt.Errorf("%s: %w", shot.name, err)
			}
		}
		picture, err := chromedp.Run(page, chromedp.CaptureScreenshot())
		if err == nil {
			picture, err = shrink(picture)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", shot.name, err)
		}
		if err := os.WriteFile(filepath.Join(to, shot.name+".png"), picture, 0o644); err != nil {
			return err
		}
	}
	return nil
}
