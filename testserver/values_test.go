package testserver

import (
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// valueNames returns the names of all changes of values.
func valueNames() (names []string) {
	for _, value := range Behaviors("values") {
		names = append(names, value.Name)
	}
	return names
}

// valueCase is an object, and what one of its fields is under a rule.
type valueCase struct {
	rule, path, body string
	field            string // dots separate the steps; a number is the index of a list
	want             string // as JSON
}

// dig returns a field of decoded JSON as JSON, or "absent".
func dig(value any, field string) string {
	for step := range strings.SplitSeq(field, ".") {
		switch container := value.(type) {
		case map[string]any:
			var there bool
			if value, there = container[step]; !there {
				return "absent"
			}
		case []any:
			value = container[step[0]-'0']
		}
	}
	return asJSON(value)
}

func valueCases(s *Server) []valueCase {
	const group, credential, edge, host = "/backends/tunnel_group", "/ssh_credentials", "/edges/tls", "/ssh_host_certificates"
	with := func(name, members string) string {
		return strings.Replace(newCredential(name), "}", ","+members+"}", 1)
	}
	certificate := func(name, members string) string {
		return `{"ssh_certificate_authority_id":"` + s.Parents.SSHCertificateAuthority + `","public_key":"` + keys.PublicKeyFor(name) + `",` + members + `}`
	}
	rule := func(members string) string {
		return `{"policy":{"inbound":[{` + members + `}]}}`
	}
	expression := func(text string) string {
		return rule(`"expressions":[` + asJSON(text) + `],"actions":[{"type":"log"}]`)
	}
	const first = "policy.inbound.0.expressions.0"
	policyID := s.ForceCreate("/ip_policies", `{}`)
	return []valueCase{
		{"text_trimmed", group, `{"description":" a \n"}`, "description", `"a"`},
		{"newline_added", group, `{"description":"a"}`, "description", `"a\n"`},
		{"description_generated", group, `{}`, "description", `"Created by the service"`},
		{"acl_lower", credential, with("1", `"acl":["bind:Example.COM:443","bind:Team=Red"]`), "acl", `["bind:example.com:443","bind:Team=Red"]`},
		{"acl_upper", credential, with("2", `"acl":["bind:*.example.com","*"]`), "acl", `["bind:*.EXAMPLE.COM","*"]`},
		{"principals_lower", host, certificate("3", `"principals":["Host"]`), "principals", `["host"]`},
		{"hostports_lower", edge, `{"hostports":["Example.com:443"]}`, "hostports", `["example.com:443"]`},
		{"hostports_upper", edge, `{"hostports":["Example.com:443"]}`, "hostports", `["EXAMPLE.COM:443"]`},
		{"domain_upper", "/reserved_domains", `{"domain":"*.example.com"}`, "domain", `"*.EXAMPLE.COM"`},
		{"domain_dot", "/reserved_domains", `{"domain":"b.example.com"}`, "domain", `"b.example.com."`},
		{"cidr_masked", "/ip_policy_rules", `{"ip_policy_id":"` + policyID + `","action":"deny","cidr":"192.0.2.7"}`, "cidr", `"192.0.2.7/32"`},
		{"labels_lower", group, `{"labels":{"Team":"Red"}}`, "labels", `{"team":"red"}`},
		{"header_names_canonical", "/backends/http_response", `{"headers":{"x-one":"a"}}`, "headers", `{"X-One":"a"}`},
		{"ipv6_expanded", edge, `{"hostports":["[2001:db8::1]:443"]}`, "hostports", `["[2001:0db8:0000:0000:0000:0000:0000:0001]:443"]`},
		{"ipv6_compressed", host, certificate("5", `"principals":["2001:0DB8:0:0::1"]`), "principals", `["2001:db8::1"]`},
		{"cel_formatted", edge, expression(" a  ==\n'b  c'  ||  a == '\"' || (d == 'e') "), first, asJSON(`(a == "b  c" || a == '"' || (d == "e"))`)},
		{"valid_until_capped", host, certificate("6", `"valid_after":"2027-01-01T00:00:00Z","valid_until":"2028-01-01T00:00:00Z"`), "valid_until", `"2027-04-01T00:00:00Z"`},
		{"times_milliseconds", host, certificate("9", `"valid_after":"2027-01-01T00:00:00Z","valid_until":"2028-01-01T00:00:00Z"`), "valid_until", `"2028-01-01T00:00:00.482Z"`},
		{"informative_number", "/ssh_certificate_authorities", `{}`, "key_type", `7`},
		{"informative_null", group, `{}`, "created_at", `null`},
		{"null_where_absent", group, `{}`, "metadata", `null`},
	}
}

func TestValues_values(t *testing.T) {
	t.Parallel()
	s := Start(t)
	covered := map[string]bool{}
	for _, test := range valueCases(s) {
		covered[test.rule] = true
		s.SetBehavior(test.rule)
		object := want(t, s, 201, "POST", test.path, test.body)
		id := object.text("id")
		expected := strings.Replace(test.want, "{id}", id, 1)
		path := test.path + "/" + id
		update := `{}`
		if test.path == "/ssh_credentials" {
			update = `{"metadata":"m"}` // {} is refused
		}
		for what, got := range map[string]result{
			"create": object, "read": want(t, s, 200, "GET", path, ""), "update": want(t, s, 200, "PATCH", path, update),
		} {
			if found := dig(body.Decode([]byte(got.raw)), test.field); found != expected {
				t.Errorf("%s, %s: %s is %s, want %s", test.rule, what, test.field, found, expected)
			}
		}
		if dig(body.Decode([]byte(want(t, s, 200, "GET", "/_testserver/objects"+path, "").raw)), test.field) == expected {
			t.Errorf("%s: the stored object has changed", test.rule)
		}
	}
	for _, rule := range valueNames() {
		if !covered[rule] && !strings.HasPrefix(rule, "patch_") {
			t.Errorf("no test covers %s", rule)
		}
	}
}

func TestValues_patches(t *testing.T) {
	t.Parallel()
	s := Start(t)
	child := s.Create("/backends/http_response", "{}")
	path := "/backends/failover/" + s.Create("/backends/failover", `{"description":"old","metadata":"m","backends":["`+child+`"]}`)
	patch := func(rule, body string) result {
		s.SetBehavior(rule)
		return send(t, s, "PATCH", path, body)
	}
	uri := s.URL + path
	id := path[len("/backends/failover/"):]
	equal(t, "part", patch("patch_part_id", `{"description":"b","backends":["`+child+`"]}`).body, map[string]any{"id": id, "uri": uri})
	got := patch("patch_empty", `{"description":"d","backends":["`+child+`"]}`)
	equal(t, "empty", []any{got.status, got.raw}, []any{200, ""})
	equal(t, "read", want(t, s, 200, "GET", path, "").body["description"], "d")
	kept := patch("patch_keeps_empty", `{"description":"","metadata":"n","backends":[]}`).body
	equal(t, "kept", []any{kept["description"], kept["metadata"], kept["backends"]}, []any{"d", "n", []string{child}})
	equal(t, "stored", s.Get(path)["description"], "d")
	equal(t, "credential", want(t, s, 200, "PATCH", "/ssh_credentials/"+s.SeedSSHCredentials(1)[0], `{"acl":[]}`).status, 200)
	s.SetBehavior()
	equal(t, "without rules", want(t, s, 200, "PATCH", path, `{"description":"","backends":[]}`).body["description"], "")
	got = patch("patch_empty", `{"description":1}`)
	equal(t, "refused", got.status, 400)
	s.SetBehavior("description_generated")
	s.Edit(path, `{"description":"e"}`)
	equal(t, "not generated", want(t, s, 200, "GET", path, "").body["description"], "e")
}

func TestValues_listsAndModules(t *testing.T) {
	t.Parallel()
	s := Start(t, WithBehavior("text_trimmed", "cel_formatted"))
	id := want(t, s, 201, "POST", "/edges/tls", `{"description":" a "}`).text("id")
	page := want(t, s, 200, "GET", "/edges/tls?limit=1", "").body
	equal(t, "element", dig(page, "tls_edges.0.description"), `"a"`)
	if next := dig(page, "next_page_uri"); !strings.HasPrefix(next, `"`+s.URL) {
		t.Errorf("next_page_uri is %s", next)
	}
	policy := want(t, s, 200, "PUT", "/edges/tls/"+id+"/policy", `{"inbound":[{"name":" n ","expressions":[" true "],"actions":[{"type":"log"}]}]}`).body
	equal(t, "module", []string{dig(policy, "inbound.0.name"), dig(policy, "inbound.0.expressions.0")}, []string{`"n"`, `"(true)"`})
	equal(t, "module in its parent", dig(want(t, s, 200, "GET", "/edges/tls/"+id, "").body, "policy.inbound.0.name"), `"n"`)
	want(t, s, 404, "GET", "/edges/tls/none", "")
	want(t, s, 204, "DELETE", "/edges/tls/"+id, "")
}

// RFC 3339 has no year with five digits.
func TestTimes_keepTheLastYear(t *testing.T) {
	t.Parallel()
	s := Start(t)
	id := want(t, s, 201, "POST", "/ssh_host_certificates", `{"ssh_certificate_authority_id":"`+s.Parents.SSHCertificateAuthority+`",
		"public_key":"`+keys.PublicKeyFor("last")+`","valid_until":"9999-12-31T23:59:59Z"}`).text("id")
	s.SetBehavior("times_vary")
	for range 20 {
		until := want(t, s, 200, "GET", "/ssh_host_certificates/"+id, "").text("valid_until")
		if at, err := time.Parse(time.RFC3339, until); err != nil || at.Unix() != 253402300799 {
			t.Errorf("valid_until is %s (%v)", until, err)
		}
	}
}
