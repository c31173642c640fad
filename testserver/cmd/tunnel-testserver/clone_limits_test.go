package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode"
)

// TestClone_hostileAnswers clones accounts of services whose answers have no end, or
// become much larger in a seed. Each ends soon, with an error that a terminal can show.
func TestClone_hostileAnswers(t *testing.T) {
	t.Parallel()
	const list = "ssh_certificate_authorities"
	var pages atomic.Int64
	page := func(objects string) string {
		return fmt.Sprintf(`{%q:[%s],"next_page_uri":"?page=%d"}`, list, objects, pages.Add(1))
	}
	nested := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	for name, test := range map[string]struct {
		answer func() string
		want   string
	}{
		"empty pages":     {func() string { return page("") }, "the pages do not end"},
		"the same object": {func() string { return page(`{"id":"sshca_1"}`) }, "the pages do not end"},
		"nested arrays":   {func() string { return `{"` + list + `":[{"id":"sshca_1","metadata":` + nested + `}]}` }, "expected at most 68 levels"},
		"nested objects": {func() string {
			return `{"` + list + `":[{"id":"sshca_1","metadata":` + strings.Repeat(`{"a":`, 4000) + "1" + strings.Repeat("}", 4000) + `}]}`
		}, "expected at most 68 levels"},
		"large answer":      {func() string { return `{"` + list + `":[],"x":"` + strings.Repeat("a", 32<<20) + `"}` }, "larger than 32 MiB"},
		"long link":         {func() string { return `{"` + list + `":[],"next_page_uri":"?` + strings.Repeat("a", 1<<20) + `"}` }, "longer than"},
		"escapes in a link": {func() string { return `{"` + list + `":[],"next_page_uri":"http://\u001b[31m\u009b/"}` }, "next_page_uri"},
		"escapes in an ID": {func() string {
			return `{"event_subscriptions":[{"id":"\u001b[31m\u009b"}],"` + list + `":[{"id":"\u001b[31m\u009b","metadata":` + nested + `}]}`
		}, "levels"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				requests.Add(1)
				fmt.Fprint(w, test.answer())
			}))
			t.Cleanup(service.Close)
			cmd := command("clone")
			cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY=key")
			var out, messages bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &messages
			timer := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
			defer timer.Stop()
			_ = cmd.Run()
			text := messages.String()
			if code := cmd.ProcessState.ExitCode(); code != 1 || out.Len() > 0 || len(text) > 2000 || !strings.Contains(text, test.want) || requests.Load() > 6 {
				t.Errorf("exit code %d after %d requests, %d bytes: %.500s", code, requests.Load(), out.Len(), text)
			}
			if unsafe := strings.IndexFunc(text, func(c rune) bool { return c != '\n' && !unicode.IsPrint(c) }); unsafe >= 0 {
				t.Errorf("it prints %q", text)
			}
		})
	}
}

// TestClone_manyUnknownMembers names only some of the members that it does not copy.
func TestClone_manyUnknownMembers(t *testing.T) {
	t.Parallel()
	members := `"` + strings.Repeat("a", 1<<20) + `":1`
	for i := range 10_000 {
		members += fmt.Sprintf(`,"x_%d":1`, i)
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"reserved_addrs":[{"id":"ra_1","addr":"1.tcp.example.com:20001",%s}]}`, members)
	}))
	t.Cleanup(service.Close)
	cmd := command("clone", "-skip", strings.Join(allBut("/reserved_addrs"), ","))
	cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY=key")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 50_000 || !strings.Contains(string(out), "9901 other members") {
		t.Errorf("%v: %d bytes: %.500s", err, len(out), out)
	}
}

// TestClone_somePagesAreEmpty has a service that filters pages, so that some are empty.
func TestClone_somePagesAreEmpty(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("page"))
		objects, link := "", ""
		if n%3 == 0 {
			objects = fmt.Sprintf(`{"id":"ra_%d","addr":"1.tcp.example.com:%d"}`, n, 20000+n)
		}
		if n < 9 {
			link = fmt.Sprintf(`,"next_page_uri":"?page=%d"`, n+1)
		}
		fmt.Fprintf(w, `{"reserved_addrs":[%s]%s}`, objects, link)
	}))
	t.Cleanup(service.Close)
	cmd := command("clone", "-skip", strings.Join(allBut("/reserved_addrs"), ","))
	cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY=key")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "cloned 4 objects") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestHealth_statusOfAnotherService prints no escapes of a status line.
func TestHealth_statusOfAnotherService(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack() //nolint:errcheck,forcetypeassert // of HTTP/1
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		_, _ = connection.Write([]byte("HTTP/1.1 500 \x1b[31mred\r\nContent-Length: 0\r\n\r\n"))
	}))
	t.Cleanup(service.Close)
	if out, err := command("health", service.URL).CombinedOutput(); err == nil || strings.Contains(string(out), "\x1b") || !strings.Contains(string(out), "500") {
		t.Errorf("%v: %q", err, out)
	}
}
