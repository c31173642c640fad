package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

// TestClone_isTheSameAccount clones an account of several pages from a server that
// limits and fails, with a read-only key, and starts a server with it.
func TestClone_isTheSameAccount(t *testing.T) {
	t.Parallel()
	p := start(t)
	for i := range 130 {
		if status, answer, err := p.send("POST", "/backends/tunnel_group", fmt.Sprintf(`{"labels":{"n":"%d"}}`, i)); status != 201 {
			t.Fatal(answer, err)
		}
	}
	expected, err := p.client("export").Output()
	if err != nil {
		t.Fatal(err)
	}
	if status, _, err := p.send("POST", "/_testserver/reset", `{"keep_objects":true}`); status != 204 {
		t.Fatal(err)
	}
	if status, answer, err := p.send("POST", "/_testserver/behavior", `[{"behavior":"503","count":2},{"behavior":"429=1","count":1}]`); status != 200 {
		t.Fatal(answer, err)
	}
	file := filepath.Join(t.TempDir(), "account.json")
	cmd := p.client("clone", "-o", file)
	messages, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(messages), "cloned 136 objects") || !strings.Contains(string(messages), "waiting 1s: the service answered 429") {
		t.Fatalf("%v: %s", err, messages)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v: %v", info.Mode(), err)
	}
	requests := p.want(t, 200, "GET", "/_testserver/requests")["requests"].([]any)
	for _, request := range requests {
		if entry := request.(map[string]any); entry["method"] != "GET" && entry["note"] == nil {
			t.Errorf("it sent %v", request)
		}
	}
	copied := start(t, "-seed", file)
	again, err := copied.client("export").Output()
	if err != nil || !bytes.Equal(again, expected) {
		t.Errorf("the account differs: %v\n%s", err, again)
	}
}

// TestClone_failsWithoutOutput has services of which an account cannot be read
// completely.
func TestClone_failsWithoutOutput(t *testing.T) {
	t.Parallel()
	var elsewhere sync.Map
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { elsewhere.Store("key", r.Header.Get("Authorization")) }))
	t.Cleanup(other.Close)
	empty := func(w http.ResponseWriter, more string) { fmt.Fprintf(w, `{"ssh_certificate_authorities":[]%s}`, more) }
	const noList = `GET "/ssh_certificate_authorities": expected an object with the list ssh_certificate_authorities, which is missing: ` +
		"check TUNNEL_BASE_URL, which is http://127.0.0.1:"
	for name, test := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request)
		want   string
	}{
		"wrong key":      {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, `GET "/ssh_certificate_authorities": 401 Unauthorized`},
		"missing list":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, "-skip /ssh_certificate_authorities"},
		"HTML":           {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, "expected a JSON object"},
		"another object": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"ssh_certificate_authorities":{}}`) }, "expected an object with the list"},
		"no list":        {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"status":"ok"}`) }, noList},
		"empty object":   {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{}`) }, noList},
		"endless": {func(w http.ResponseWriter, _ *http.Request) {
			empty(w, `,"next_page_uri":"/ssh_certificate_authorities?x"`)
		}, "the pages do not end"},
		"redirect":          {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) }, "302 Found"},
		"page of another":   {func(w http.ResponseWriter, _ *http.Request) { empty(w, `,"next_page_uri":"`+other.URL+`"`) }, "next_page_uri is not a URL with a query"},
		"object without id": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"ssh_certificate_authorities":[{}]}`) }, "without an id"},
		"closed connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := httptest.NewServer(http.HandlerFunc(test.answer))
			t.Cleanup(service.Close)
			cmd := command("clone")
			cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY=secret-key-of-the-account")
			var out, messages bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &messages
			_ = cmd.Run()
			if code := cmd.ProcessState.ExitCode(); code != 1 || out.Len() > 0 || !strings.Contains(messages.String(), test.want) || strings.Contains(messages.String(), "secret-key") {
				t.Errorf("exit code %d, output %q, messages %s", code, out.String(), messages.String())
			}
		})
	}
	t.Cleanup(func() {
		if key, ok := elsewhere.Load("key"); ok {
			t.Errorf("another service got a request with the key %q", key)
		}
	})
}

// TestClone_nullIsAnEmptyList has a service that writes an empty list as null.
func TestClone_nullIsAnEmptyList(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, kind := range kinds.Roots() {
			if kind.Path == r.URL.Path {
				fmt.Fprintf(w, `{%q:null}`, kind.Field)
			}
		}
	}))
	t.Cleanup(service.Close)
	cmd := command("clone")
	cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY=key")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "cloned 0 objects") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestClone_leavesOutWhatIsUnknown has an object with a member of a newer version of
// the API, and with a private key.
func TestClone_leavesOutWhatIsUnknown(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/reserved_addrs" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		fmt.Fprint(w, `{"reserved_addrs":[{"id":"ra_1","uri":"u","addr":"1.tcp.example.com:20001","region":"eu","private_key_pem":"secret"}]}`)
	}))
	t.Cleanup(service.Close)
	cmd := command("clone", "-skip", strings.Join(allBut("/reserved_addrs"), ","))
	cmd.Env = append(cmd.Env, "TUNNEL_BASE_URL="+service.URL, "TUNNEL_API_KEY=key")
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil || strings.Contains(out.String(), "secret") || !strings.Contains(out.String(), "1.tcp.example.com:20001") {
		t.Errorf("%v: %s %s", err, out.String(), messages.String())
	}
	for _, want := range []string{`"/reserved_addrs: region"`, `"/reserved_addrs: private_key_pem"`} {
		if !strings.Contains(messages.String(), want) {
			t.Errorf("%s is not in %s", want, messages.String())
		}
	}
}

// allBut returns the paths of all lists but one.
func allBut(path string) (others []string) {
	for _, kind := range kinds.Roots() {
		if kind.Path != path {
			others = append(others, kind.Path)
		}
	}
	return others
}

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

// TestClone_leavesOutNestedMembers clones an account of a service whose objects have
// unknown members at every depth.
func TestClone_leavesOutNestedMembers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	seed, file := filepath.Join(dir, "seed.json"), filepath.Join(dir, "account.json")
	if err := os.WriteFile(seed, []byte(nested), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "-seed", seed)
	expected, err := p.client("export").Output()
	if err != nil {
		t.Fatal(err)
	}
	if status, answer, err := p.send("POST", "/_testserver/behavior", `["unknown_fields"]`); status >= 300 {
		t.Fatal(answer, err)
	}
	messages, err := p.client("clone", "-o", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, messages)
	}
	_, notes, _ := strings.Cut(string(messages), "of the kind IP policy rule")
	for _, want := range []string{
		`"/edges/tls: backend.backend.x_`, `"/edges/tls: policy.inbound[].actions[].x_`, `"/edges/tls: ip_restriction.ip_policies[].x_`,
		`"/edges/https: routes[].compression.x_`, `"/event_subscriptions: sources[].x_`, `"/event_destinations: target.firehose.auth.role.x_`,
		`"/reserved_domains: certificate_management_policy.x_`,
	} {
		if !strings.Contains(notes, "not copied, because the test server does not have it: "+want) {
			t.Errorf("%s is not in %s", want, notes)
		}
	}
	copied := start(t, "-seed", file)
	again, err := copied.client("export").Output()
	if err != nil || !bytes.Equal(again, expected) {
		t.Errorf("the account differs: %v\n%s", err, again)
	}
}
