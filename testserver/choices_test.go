package testserver

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// forms sends repeatedly and returns the different results, sorted.
func forms(times int, send func() string) []string {
	seen := map[string]bool{}
	for range times {
		seen[send()] = true
	}
	var found []string
	for form := range seen {
		found = append(found, form)
	}
	slices.Sort(found)
	return found
}

// form returns the JSON of a field, or "absent".
func form(members map[string]any, name string) string {
	value, there := members[name]
	if !there {
		return "absent"
	}
	return asJSON(value)
}

// TestChoices_forms reads fields many times under choices, and compares all forms.
func TestChoices_forms(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now))
	credential := "/ssh_credentials/" + s.SeedSSHCredentials(1)[0]
	s.Edit(credential, `{"description":""}`)
	listed := "/ssh_credentials/" + s.SeedSSHCredentials(1)[0]
	s.Edit(listed, `{"acl":["*","bind:a"]}`)
	group := "/backends/tunnel_group/" + s.Create(groups, `{"labels":{"a":"b"}}`)
	s.ForceEdit(group, `{"tunnels":[{"id":"tn_a","uri":"https://api.example/tunnels/tn_a"}]}`)
	bot, key := "/bot_users/"+s.Create("/bot_users", `{"name":"ci"}`), "/api_keys/"+s.Create("/api_keys", `{}`)
	policy, unset := "/edges/tls/"+s.Parents.TLSEdge+"/policy", "/edges/tcp/"+s.Parents.TCPEdge+"/policy"
	s.Put(policy, `{"outbound":[{"name":"a","actions":[{"type":"log","config":{"metadata":{"created_at":"","acl":[]}}}]}]}`)
	one, two := s.Create("/backends/http_response", "{}"), s.Create("/backends/http_response", "{}")
	failover := "/backends/failover/" + s.Create("/backends/failover", children(two, one))
	sources := "/event_subscriptions/" + s.Create("/event_subscriptions", `{"sources":[{"type":"a.v0"},{"type":"b.v0"}]}`) + "/sources"
	for _, test := range []struct {
		choices, path, field string // dots separate the steps of the field
		forms                string // sorted, with spaces between them; "+" and a number is at least so many
	}{
		{"", credential, "description", `""`},
		{"empty_absent", credential, "description", "absent"},
		{"empty_absent", listed, "description", `"seeded 0"`},
		{"", key, "description", "absent"},
		{"never_set_empty", key, "description", `""`},
		{"never_set_empty", bot, "description", "absent"},
		{"", credential, "acl", "[]"},
		{"empty_list_absent", credential, "acl", "absent"},
		{"empty_list_null", credential, "acl", "null"},
		{"empty_list_null", policy, "outbound.0.expressions", "null"},
		{"empty_list_null,empty_absent,acl_swapped", policy, "outbound.0.actions.0.config", `{"metadata":{"acl":[],"created_at":""}}`}, // the user's own
		{"empty_list_null", group, "labels", `{"a":"b"}`},
		{"acl_swapped", credential, "acl", `["*"]`},
		{"acl_swapped", listed, "acl", "[]"},
		{"sets_shuffled", listed, "acl", `["*","bind:a"] ["bind:a","*"]`},
		{"sets_shuffled", sources, "sources.0.type", `"a.v0" "b.v0"`},
		{"sets_shuffled", failover, "backends", asJSON([]string{two, one})},
		{"times_vary", credential, "created_at", "+20"},
		{"", unset, "status_code", "404"},
		{"unset_module_null", unset, "", "null"},
		{"", "/ssh_credentials/none", "error_code", `"ERR_TUNNEL_404"`},
		{"unknown_fields", "/ssh_credentials", "x_", "+4"},
		{"unknown_fields", credential, "x_", "+4"},
	} {
		s.SetRules()
		if test.choices != "" {
			s.SetBehavior(test.choices)
		}
		found := forms(60, func() string {
			got := send(t, s, "GET", test.path, "")
			if test.field == "" {
				return got.raw
			}
			if test.field == "x_" {
				for name := range got.body {
					if strings.HasPrefix(name, "x_") {
						return name
					}
				}
			}
			found := dig(any(got.body), test.field)
			if at, err := time.Parse(`"`+time.RFC3339+`"`, found); err == nil && !at.Equal(now.now()) {
				t.Errorf("%s is %s, want an instant like %v", test.field, found, now.now())
			}
			return found
		})
		if most, open := strings.CutPrefix(test.forms, "+"); open {
			if least, _ := strconv.Atoi(most); len(found) < least {
				t.Errorf("%s: %s has only the forms %v", test.choices, test.field, found)
			}
		} else if text := strings.Join(found, " "); text != test.forms {
			t.Errorf("%s: %s of %s has the forms %s, want %s", test.choices, test.field, test.path, text, test.forms)
		}
	}
}

// TestChoices_ofTheServer makes requests whose result the server decides.
func TestChoices_ofTheServer(t *testing.T) {
	t.Parallel()
	s := Start(t, WithBehavior("list_oldest_first", "list_small_pages", "backends_kept", "unset_module_delete_404", "forbidden_403", "no_retry_after",
		"require_reserved"))
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

	child := s.Create("/backends/http_response", "{}")
	failover := "/backends/failover/" + s.Create("/backends/failover", children(child))
	equal(t, "backends", want(t, s, 200, "PATCH", failover, `{"description":"d"}`).body["backends"], []string{child})
	equal(t, "cleared", want(t, s, 200, "PATCH", failover, children()).body["backends"], []string{})

	want(t, s, 404, "DELETE", "/edges/tcp/"+s.Parents.TCPEdge+"/policy", "")
	want(t, s, 400, "POST", "/ssh_credentials", "")
	want(t, s, 403, "GET", "/ssh_credentials", "", as("unknown"))
	equal(t, "hostport", want(t, s, 400, "POST", "/edges/tls", `{"hostports":["a.example.com:443"]}`).field(), "hostports[0]")

	s.SetBehavior("rate_limit=1/1h")
	want(t, s, 404, "GET", "/nothing", "")
	if retry, there := want(t, s, 429, "GET", "/ssh_credentials", "").header["Retry-After"]; there {
		t.Errorf("Retry-After is %s", retry)
	}
	want(t, s, 200, "GET", "/_testserver/objects"+credentialOf(t, s), "")
}

// credentialOf creates an SSH credential out of band, which no behavior changes.
func credentialOf(t *testing.T, s *Server) string {
	t.Helper()
	return "/ssh_credentials/" + s.Create("/ssh_credentials", asJSON(map[string]any{"public_key": keys.PublicKeyFor("out of band")}))
}
