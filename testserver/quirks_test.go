package testserver

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// forms calls ask repeatedly and counts how often each result occurs.
func forms(t *testing.T, times int, send func() string) map[string]int {
	t.Helper()
	seen := map[string]int{}
	for range times {
		seen[send()]++
	}
	return seen
}

// inEachForm checks that exactly the given forms occur.
func inEachForm(t *testing.T, what string, seen map[string]int, want ...string) {
	t.Helper()
	var found []string
	for form := range seen {
		found = append(found, form)
	}
	slices.Sort(found)
	slices.Sort(want)
	equal(t, "forms of "+what, found, want)
}

// form returns the JSON of a field, or "absent".
func form(members map[string]any, name string) string {
	value, there := members[name]
	if !there {
		return "absent"
	}
	return asJSON(value)
}

func TestQuirks_emptyValues(t *testing.T) {
	t.Parallel()
	s := Start(t, WithQuirks(1))
	id := s.SeedSSHCredentials(1)[0]
	get := func(name string) func() string {
		return func() string { return form(want(t, s, 200, "GET", "/ssh_credentials/"+id, "").body, name) }
	}
	inEachForm(t, "an empty string", forms(t, 30, get("metadata")), "absent", `""`)
	inEachForm(t, "an empty list", forms(t, 80, get("acl")), "absent", "null", "[]", `["*"]`)
	s.Edit("/ssh_credentials/"+id, `{"acl":["*","bind:a"]}`)
	inEachForm(t, "a list with *", forms(t, 80, get("acl")), "absent", "null", "[]", `["*","bind:a"]`, `["bind:a","*"]`)
	inEachForm(t, "a string that is set", forms(t, 10, get("description")), `"seeded 0"`)

	group := s.Create("/backends/tunnel_group", `{"description":"","labels":{"a":"b"}}`)
	tunnels := func() string {
		return form(want(t, s, 200, "GET", "/backends/tunnel_group/"+group, "").body, "tunnels")
	}
	inEachForm(t, "tunnels, which are always there", forms(t, 10, tunnels), "[]")
	s.ForceEdit("/backends/tunnel_group/"+group, `{"tunnels":[{"id":"tn_a","uri":"https://api.example/tunnels/tn_a"}]}`)
	inEachForm(t, "entries of tunnels", forms(t, 40, tunnels), `["tn_a"]`, `[{"id":"tn_a","uri":"https://api.example/tunnels/tn_a"}]`,
		`[{"endpoints":[{"port":443}],"id":"tn_a","region":"eu","uri":"https://api.example/tunnels/tn_a"}]`, `[{"tunnel_session":{"id":7}}]`)
	tls := func() string {
		return form(want(t, s, 200, "GET", "/edges/tls/"+s.Parents.TLSEdge, "").body, "backend")
	}
	inEachForm(t, "what is null", forms(t, 10, tls), "null")
}

func TestQuirks_neverSetEmpty(t *testing.T) {
	t.Parallel()
	s := Start(t, WithNamedQuirks("never_set_empty"))
	bot := want(t, s, 200, "GET", "/bot_users/"+s.Create("/bot_users", `{"name":"ci"}`), "").body
	key := want(t, s, 200, "GET", "/api_keys/"+s.Create("/api_keys", `{}`), "").body
	for _, field := range []string{"description", "metadata"} {
		equal(t, field+" of a bot user, which has none", form(bot, field), "absent")
		equal(t, field+" of an API key", form(key, field), `""`)
	}
}

func TestQuirks_policies(t *testing.T) {
	t.Parallel()
	s := Start(t, WithQuirks(1))
	path := "/edges/tls/" + s.Parents.TLSEdge + "/policy"
	s.Put(path, `{"outbound":[{"name":"a","actions":[{"type":"log","config":{"metadata":{"created_at":"","acl":[]}}},{"type":"log"}]}]}`)
	get := func(dig func(map[string]any) string) func() string {
		return func() string { return dig(want(t, s, 200, "GET", path, "").body) }
	}
	rule := func(policy map[string]any) map[string]any {
		return policy["outbound"].([]any)[0].(map[string]any)
	}
	action := func(policy map[string]any, i int) map[string]any {
		return rule(policy)["actions"].([]any)[i].(map[string]any)
	}
	inEachForm(t, "inbound", forms(t, 40, get(func(p map[string]any) string { return form(p, "inbound") })), "absent", "null", "[]")
	inEachForm(t, "expressions", forms(t, 40, get(func(p map[string]any) string { return form(rule(p), "expressions") })), "absent", "null", "[]")
	inEachForm(t, "config that is null", forms(t, 10, get(func(p map[string]any) string { return form(action(p, 1), "config") })), "null")
	inEachForm(t, "config of log, which is the user's own", forms(t, 10, get(func(p map[string]any) string { return form(action(p, 0), "config") })),
		`{"metadata":{"acl":[],"created_at":""}}`)
}

func TestQuirks_timestamps(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithQuirks(7), WithClock(now.now))
	id := s.SeedSSHCredentials(1)[0]
	seen := forms(t, 60, func() string {
		text := want(t, s, 200, "GET", "/ssh_credentials/"+id, "").text("created_at")
		at, err := time.Parse(time.RFC3339, text)
		if err != nil || !at.Equal(now.now()) {
			t.Errorf("created_at is %s, want an instant like %v", text, now.now())
		}
		return text
	})
	inUTC, withOffset, withFraction := 0, 0, 0
	for text := range seen {
		switch {
		case strings.HasSuffix(text, "Z"):
			inUTC++
		default:
			withOffset++
		}
		if strings.Contains(text, ".") {
			withFraction++
		}
	}
	if inUTC < 2 || withOffset < 5 || withFraction < 5 {
		t.Errorf("the forms are %v", seen)
	}
}

func TestQuirks_finalNewline(t *testing.T) {
	t.Parallel()
	s := Start(t, WithQuirks(1))
	leaf := issue(t, nil, newKey(t, "ed25519"), nil)
	cert := s.Create("/tls_certificates", upload(leaf.pem, pkcs8(t, leaf.key)))
	host := s.Create("/ssh_host_certificates", asJSON(map[string]string{
		"ssh_certificate_authority_id": s.Parents.SSHCertificateAuthority, "public_key": keys.PublicKeyFor("host")}))
	for path, fields := range map[string][]string{
		"/tls_certificates/" + cert:      {"certificate_pem"},
		"/ssh_host_certificates/" + host: {"public_key", "certificate"},
	} {
		for _, field := range fields {
			plain := strings.TrimSpace(member(s.Get(path), field))
			inEachForm(t, field, forms(t, 20, func() string { return want(t, s, 200, "GET", path, "").text(field) }), plain, plain+"\n")
		}
	}
}

func TestQuirks_orderOfSets(t *testing.T) {
	t.Parallel()
	s := Start(t, WithQuirks(1))
	path := "/ssh_credentials/" + s.Create("/ssh_credentials", asJSON(map[string]any{"public_key": keys.PublicKeyFor("a"), "acl": []string{"bind:a", "bind:b"}}))
	acl := forms(t, 20, func() string { return asJSON(want(t, s, 200, "GET", path, "").body["acl"]) })
	inEachForm(t, "acl", acl, `["bind:a","bind:b"]`, `["bind:b","bind:a"]`)

	one, two := s.CreateOtherBackend(), s.CreateOtherBackend()
	failover := "/backends/failover/" + s.Create("/backends/failover", children(two, one))
	backends := forms(t, 20, func() string { return asJSON(want(t, s, 200, "GET", failover, "").body["backends"]) })
	inEachForm(t, "backends", backends, asJSON([]string{two, one}))

	sources := "/event_subscriptions/" + s.CreateEventSubscription("a.v0", "b.v0") + "/sources"
	order := forms(t, 20, func() string {
		list := want(t, s, 200, "GET", sources, "").body["sources"].([]any)
		return fmt.Sprint(len(list)) + list[0].(map[string]any)["type"].(string)
	})
	inEachForm(t, "first source", order, "2a.v0", "2b.v0")
}

func TestQuirks_unknownFields(t *testing.T) {
	t.Parallel()
	s := Start(t, WithQuirks(1))
	s.SeedSSHCredentials(1)
	page := want(t, s, 200, "GET", "/ssh_credentials", "").body
	for what, members := range map[string]map[string]any{"list": page, "object": page["ssh_credentials"].([]any)[0].(map[string]any)} {
		extra := 0
		for name := range members {
			if strings.HasPrefix(name, "x_") {
				extra++
			}
		}
		if extra != 1 {
			t.Errorf("the %s has %d unknown fields: %v", what, extra, members)
		}
	}
}

func TestQuirks_pages(t *testing.T) {
	t.Parallel()
	s := Start(t, WithQuirks(1))
	ids := s.SeedSSHCredentials(8)
	var seen []string
	var sizes []int
	for path := "/ssh_credentials"; path != ""; {
		page := want(t, s, 200, "GET", path, "")
		objects := page.body["ssh_credentials"].([]any)
		sizes = append(sizes, len(objects))
		for _, object := range objects {
			seen = append(seen, object.(map[string]any)["id"].(string))
		}
		path = strings.TrimPrefix(page.text("next_page_uri"), s.URL)
	}
	equal(t, "ids", seen, ids)
	equal(t, "page sizes", sizes, []int{3, 3, 2})
}

func TestQuirks_errors(t *testing.T) {
	t.Parallel()
	s := Start(t, WithQuirks(1), WithRateLimit(200, time.Hour))
	missing := func(name string) func() string {
		return func() string {
			got := want(t, s, 404, "GET", "/ssh_credentials/none", "")
			if got.text("msg") == "" {
				t.Errorf("there is no msg: %s", got.raw)
			}
			if name == "details" && got.body["details"] != nil {
				return "object"
			}
			return form(got.body, name)
		}
	}
	inEachForm(t, "error_code", forms(t, 20, missing("error_code")), "absent", `"ERR_TUNNEL_404"`)
	inEachForm(t, "status_code", forms(t, 10, missing("status_code")), `404`)
	inEachForm(t, "details", forms(t, 40, missing("details")), "absent", "null", "object")
	want(t, s, 403, "GET", "/ssh_credentials", "", as("unknown"))
	for s.Stats().Total < 200 {
		want(t, s, 404, "GET", "/nothing", "")
	}
	got := want(t, s, 429, "GET", "/ssh_credentials", "")
	if retry, there := got.header["Retry-After"]; there {
		t.Errorf("Retry-After is %s", retry)
	}
}

func TestQuirks_modules(t *testing.T) {
	t.Parallel()
	s := Start(t, WithQuirks(1))
	path := "/edges/tcp/" + s.Parents.TCPEdge + "/policy"
	inEachForm(t, "an unset policy", forms(t, 20, func() string { return want(t, s, 200, "GET", path, "").raw }), "null", "{}")
	want(t, s, 404, "DELETE", path, "")
	want(t, s, 200, "PUT", path, `{}`)
	want(t, s, 204, "DELETE", path, "")
	want(t, s, 404, "DELETE", path, "")
}

func TestQuirks_failoverPatchKeepsBackends(t *testing.T) {
	t.Parallel()
	s := Start(t, WithQuirks(1))
	child := s.CreateOtherBackend()
	path := "/backends/failover/" + s.Create("/backends/failover", children(child))
	equal(t, "backends", want(t, s, 200, "PATCH", path, `{"description":"d"}`).body["backends"], []string{child})
	cleared := want(t, s, 200, "PATCH", path, children())
	if list, _ := cleared.body["backends"].([]any); len(list) != 0 {
		t.Errorf("backends after clearing: %s", cleared.raw)
	}
}

func TestQuirks_repeatForTheSameSeed(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now))
	ids := s.SeedSSHCredentials(1)
	story := func() string {
		var answers strings.Builder
		for range 20 {
			answers.WriteString(want(t, s, 200, "GET", "/ssh_credentials/"+ids[0], "").raw)
		}
		return answers.String()
	}
	plain := story()
	s.SetQuirks(5)
	first := story()
	s.SetQuirks(5)
	again := story()
	s.SetQuirks(6)
	other := story()
	s.ClearQuirks()
	if first != again {
		t.Error("the same seed gives different answers")
	}
	if first == other || first == plain {
		t.Error("the seed makes no difference")
	}
	if story() != plain {
		t.Error("quirks cannot be turned off")
	}
}

// TestQuirks_keepTheContract relies on Start, which reports contract violations
// as test errors.
func TestQuirks_keepTheContract(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		s := Start(t, WithQuirks(seed))
		leaf := issue(t, nil, newKey(t, "p256"), nil)
		group := s.Create("/backends/tunnel_group", `{"labels":{"a":"b"}}`)
		route := "/edges/https/" + s.Parents.HTTPSEdge + "/routes/" + s.Parents.HTTPSEdgeRoute
		s.Put(route+"/compression", `{}`)
		objects := []string{
			"/ssh_host_certificates/" + s.Create("/ssh_host_certificates", asJSON(map[string]string{
				"ssh_certificate_authority_id": s.Parents.SSHCertificateAuthority, "public_key": keys.PublicKeyFor("host")})),
			"/ssh_credentials/" + s.SeedSSHCredentials(1)[0],
			"/tls_certificates/" + s.Create("/tls_certificates", upload(leaf.pem, pkcs8(t, leaf.key))),
			"/backends/tunnel_group/" + group,
			"/backends/failover/" + s.Create("/backends/failover", children(group)),
			"/ssh_certificate_authorities/" + s.Parents.SSHCertificateAuthority,
			"/edges/tls/" + s.Parents.TLSEdge,
			"/edges/tcp/" + s.Parents.TCPEdge,
			"/edges/https/" + s.Parents.HTTPSEdge,
			"/event_subscriptions/" + s.CreateEventSubscription("a.v0"),
		}
		for range 5 {
			for _, path := range objects {
				want(t, s, 200, "GET", path, "")
				want(t, s, 200, "GET", path[:strings.LastIndex(path, "/")], "")
				want(t, s, 200, "PATCH", path, `{"metadata":"m","description":null}`)
			}
			want(t, s, 200, "GET", route, "")
			want(t, s, 200, "GET", route+"/compression", "")
			want(t, s, 200, "GET", route+"/websocket_tcp_converter", "")
			want(t, s, 404, "GET", "/tls_certificates/none", "")
			want(t, s, http.StatusForbidden, "GET", "/tls_certificates/none", "", as("unknown"))
		}
	}
}
