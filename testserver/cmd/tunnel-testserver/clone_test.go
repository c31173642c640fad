package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

// nested has an object of each kind that contains other objects.
const nested = `{"objects":[
	{"path":"/ip_policies","body":{"id":"ipp_1"}},
	{"path":"/backends/tunnel_group","body":{"id":"bkdtg_1","labels":{"x_team":"a"}}},
	{"path":"/reserved_domains","body":{"id":"rd_1","domain":"www.example.com","certificate_management_policy":{"authority":"letsencrypt"}}},
	{"path":"/edges/tls","body":{"id":"edgtls_1","backend":{"backend_id":"bkdtg_1"},"ip_restriction":{"ip_policy_ids":["ipp_1"]},
		"policy":{"inbound":[{"name":"a","actions":[{"type":"log","config":{"x_a":{"x_b":1}}}]}]}}},
	{"path":"/edges/https","body":{"id":"edghts_1","routes":[
		{"id":"edghtsrt_1","match_type":"exact_path","match":"/a","backend":{"backend_id":"bkdtg_1"},"compression":{"enabled":true}}]}},
	{"path":"/event_destinations","body":{"id":"ed_1","target":{"firehose":{"delivery_stream_arn":"arn:a","auth":{"role":{"role_arn":"arn:b"}}}}}},
	{"path":"/event_subscriptions","body":{"id":"esb_1","sources":[{"type":"a.v0"}],"destination_ids":["ed_1"]}}
]}`

// TestClone_isTheSameAccount clones an account of several pages from a server that
// limits and fails, whose objects have unknown members at every depth, with a read-only
// key, and starts a server with it.
func TestClone_isTheSameAccount(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	seed, file := filepath.Join(dir, "seed.json"), filepath.Join(dir, "account.json")
	for _, name := range []string{seed, file} { // an existing file is replaced
		if err := os.WriteFile(name, []byte(nested), 0o644); err != nil { //nolint:gosec // the mode changes
			t.Fatal(err)
		}
	}
	p := start(t, "-seed", seed)
	for i := range 130 {
		if status, answer, err := p.send("POST", "/backends/tunnel_group", fmt.Sprintf(`{"labels":{"n":"%d"}}`, i)); status != 201 {
			t.Fatal(answer, err)
		}
	}
	expected := p.account(t)
	const behavior = `["unknown_fields",{"behavior":"503","count":2},{"behavior":"429=1","count":1}]`
	if status, answer, err := p.send("POST", "/_testserver/behavior", behavior); status >= 300 {
		t.Fatal(answer, err)
	}
	cmd := p.client("clone", "-o", file)
	output, err := cmd.CombinedOutput()
	messages := string(output)
	if err != nil || !strings.Contains(messages, "cloned 137 objects") || !strings.Contains(messages, "waiting 1s: the service answered 429") {
		t.Fatalf("%v: %s", err, messages)
	}
	for _, want := range []string{
		`"/edges/tls: backend.backend.x_`, `"/edges/tls: policy.inbound[].actions[].x_`, `"/edges/tls: ip_restriction.ip_policies[].x_`,
		`"/edges/https: routes[].compression.x_`, `"/event_subscriptions: sources[].x_`, `"/event_destinations: target.firehose.auth.role.x_`,
		`"/reserved_domains: certificate_management_policy.x_`,
	} {
		if !strings.Contains(messages, "not copied, because the test server does not have it: "+want) {
			t.Errorf("%s is not in %s", want, messages)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v: %v", info.Mode(), err)
	}
	for endpoint := range p.want(t, 200, "GET", "/_testserver/stats")["requests"].(map[string]any) {
		if !strings.HasPrefix(endpoint, "GET ") && endpoint != "POST /backends/tunnel_group" {
			t.Errorf("it sent %s", endpoint)
		}
	}
	if again := start(t, "-seed", file).account(t); again != expected {
		t.Errorf("the account differs:\n%s", again)
	}
}

// allBut returns the paths of all lists but one.
func allBut(path string) string {
	var others []string
	for _, kind := range kinds.Roots() {
		if kind.Path != path {
			others = append(others, kind.Path)
		}
	}
	return strings.Join(others, ",")
}

// TestClone_answers clones accounts of services that answer in other ways. What cannot be
// read completely ends soon, without output, with an error that a terminal can show.
func TestClone_answers(t *testing.T) {
	t.Parallel()
	const list = "ssh_certificate_authorities"
	var keys sync.Map
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { keys.Store(r.Header.Get("Authorization"), true) }))
	t.Cleanup(other.Close)
	says := func(answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, answer) }
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	objects := func(objects string) string { return `{"` + list + `":[` + objects + `]}` }
	linking := func(link string) http.HandlerFunc { return says(`{"` + list + `":[],"next_page_uri":"` + link + `"}`) }
	var pages atomic.Int64
	paging := func(one string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{%q:[%s],"next_page_uri":"?page=%d"}`, list, one, pages.Add(1))
		}
	}
	members := `"` + strings.Repeat("a", 1<<20) + `":1`
	for i := range 10_000 {
		members += fmt.Sprintf(`,"x_%d":1`, i)
	}
	const address = `"id":"ra_1","addr":"1.tcp.example.com:20001"`
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		want   string
		out    string // in the output, if it works; it then reads only reserved addresses
	}{
		"wrong key":         {status(401), `GET "/ssh_certificate_authorities": 401 Unauthorized`, ""},
		"missing list":      {status(404), "-skip /ssh_certificate_authorities", ""},
		"HTML":              {says("<html>"), "expected a JSON object", ""},
		"another object":    {says(`{"` + list + `":{}}`), "expected an object with the list", ""},
		"the same page":     {linking("/" + list + "?x"), "the pages do not end", ""},
		"empty pages":       {paging(""), "the pages do not end", ""},
		"redirect":          {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) }, "302 Found", ""},
		"page of another":   {linking(other.URL), "next_page_uri is not a URL with a query", ""},
		"object without id": {says(objects(`{}`)), "without an id", ""},
		"closed connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF", ""},
		"large answer":      {says(`{"` + list + `":[],"x":"` + strings.Repeat("a", 32<<20) + `"}`), "larger than 32 MiB", ""},
		"escapes in a link": {linking(`http://\u001b[31m\u009b/`), "next_page_uri", ""},
		"no objects":        {says(`{"reserved_addrs":null}`), "cloned 0 objects", `"objects": []`},
		"unknown members":   {says(`{"reserved_addrs":[{` + address + `,"region":"eu","private_key_pem":"secret"}]}`), `"/reserved_addrs: private_key_pem"`, "1.tcp.example.com:20001"},
		"many of them":      {says(`{"reserved_addrs":[{` + address + `,` + members + `}]}`), "9901 other members", "1.tcp.example.com:20001"},
		"some pages empty": {func(w http.ResponseWriter, r *http.Request) { // as of a service that filters pages
			n, _ := strconv.Atoi(r.URL.Query().Get("page"))
			fmt.Fprintf(w, `{"reserved_addrs":[%s],"next_page_uri":"%s"}`, map[int]string{0: fmt.Sprintf(`{"id":"ra_%d","addr":"1.tcp.example.com:%d"}`, n, 20000+n)}[n%3],
				map[bool]string{true: fmt.Sprintf("?page=%d", n+1)}[n < 9])
		}, "cloned 4 objects", "20009"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				test.answer(w, r)
			}))
			t.Cleanup(service.Close)
			cmd, code := command("clone"), 1
			if test.out != "" {
				cmd, code = command("clone", "-skip", allBut("/reserved_addrs")), 0
			}
			cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY=secret-key-of-the-account")
			var out, messages bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &messages
			defer time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() }).Stop()
			_ = cmd.Run()
			text := messages.String()
			if cmd.ProcessState.ExitCode() != code || !strings.Contains(text, test.want) || (out.Len() == 0) != (test.out == "") || !strings.Contains(out.String(), test.out) {
				t.Errorf("exit code %d, output %.300q, messages %.500s", cmd.ProcessState.ExitCode(), out.String(), text)
			}
			if strings.Contains(out.String()+text, "secret") || len(text) > 50_000 || code == 1 && (len(text) > 2000 || requests.Load() > 6) {
				t.Errorf("%d requests, or a secret, or %d bytes: %.500s", requests.Load(), len(text), text)
			}
			if strings.ContainsFunc(text, func(c rune) bool { return c != '\n' && !unicode.IsPrint(c) }) {
				t.Errorf("it prints %q", text)
			}
		})
	}
	keys.Range(func(key, _ any) bool { t.Errorf("another service got a request with the key %q", key); return true })
}

// TestHealth_statusOfAnotherService prints no escapes of a status line.
