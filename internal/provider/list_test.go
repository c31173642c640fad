package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func TestList_fetchesOnlyNeededPages(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.SeedSSHCredentials(250) // 3 pages, newest first: 249 to 150, 149 to 50, 49 to 0
	p := w.Protocol(t)
	for _, test := range []struct {
		limit          int64
		filter         string
		results, pages int
		warning        string
	}{
		{0, "", 250, 3, ""},
		{1, "", 1, 1, "There are more"},
		{99, "", 99, 1, "There are more"},
		{100, "", 100, 2, "There are more"},
		{101, "", 101, 2, "There are more"},
		{250, "", 250, 3, ""},
		{1000, "", 250, 3, ""},
		{1, "^seeded 200$", 1, 3, ""},
		{1, "^seeded 20$", 1, 3, ""},
		{2, "^seeded 20$", 1, 3, ""},
		{1, "^seeded 4.$", 1, 3, "There are more"},
		{5, "^none$", 0, 3, ""},
	} {
		given := arguments{}
		if test.filter != "" {
			given["description_regex"] = text(test.filter)
		}
		w.ResetStats()
		results := p.List("tunnel_ssh_credential", test.limit, given)
		if pages := w.Stats().Requests["GET /ssh_credentials"]; len(results) != test.results || pages != test.pages || w.Stats().Total != pages {
			t.Errorf("limit %d, filter %q: %d results from %d pages, want %d from %d", test.limit, test.filter, len(results), pages, test.results, test.pages)
		}
		warning := ""
		for i, result := range results {
			for _, w := range result.Warnings {
				warning = w.Summary + ". " + w.Detail
				if i+1 != len(results) {
					t.Errorf("limit %d, filter %q: warned with result %d of %d", test.limit, test.filter, i+1, len(results))
				}
			}
		}
		if (warning == "") != (test.warning == "") || !strings.Contains(warning, test.warning) || warning != "" && !strings.Contains(warning, fmt.Sprintf("List of SSH credentials truncated at %d", test.limit)) {
			t.Errorf("limit %d, filter %q: warned %q, want %q", test.limit, test.filter, warning, test.warning)
		}
	}
}

func TestList_failsPartWay(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.SetRules(testserver.Rule{Behavior: "html=403", Method: "GET", Route: "/ssh_credentials", Nth: 2})
	w.SeedSSHCredentials(150)
	results, diagnostics := w.Protocol(t).TryList("tunnel_ssh_credential", 0, nil)
	if len(results) != 100 || len(diagnostics) != 1 || !strings.Contains(diagnostics[0].Summary, "Error listing SSH credential") {
		t.Errorf("%d results, then %+v", len(results), diagnostics)
	}
	w.SetRules(testserver.Rule{Behavior: "html=403", Method: "GET", Route: "/ssh_credentials", Nth: 2})
	results, diagnostics = w.Protocol(t).TryList("tunnel_ssh_credential", 100, nil)
	if len(results) != 100 || len(diagnostics) != 0 || len(results[99].Warnings) != 1 || !strings.Contains(results[99].Warnings[0].Detail, "There may be more") {
		t.Errorf("with a limit that is reached: %d results, then %+v", len(results), diagnostics)
	}
	if _, diagnostics := w.Protocol(t).TryDataSource("tunnel_ssh_credentials", nil); len(diagnostics) > 0 {
		t.Errorf("without the fault: %+v", diagnostics)
	}
}

func TestList_displayNames(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "alice@laptop")
	public, _, _, _, err := ssh.ParseAuthorizedKey([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	w.Upload(t, testcert.ChainOf{Names: []string{"www.example.com", "a.example.com", "b.example.com", "c.example.com", "d.example.com", "e.example.com"}}.New(t), "shop")
	hostCertificate(t, w, time.Hour)
	hostCertificate(t, w, time.Hour, "bastion.example.com", "192.0.2.10")
	w.Create("/ssh_credentials", quoted(map[string]string{"public_key": key, "description": "Alice"}))
	a, b := w.Create("/backends/http_response", "{}"), w.Create("/backends/http_response", "{}")
	w.Create("/backends/failover", quoted(map[string]any{"backends": []string{a, b}, "description": "first a"}))
	w.Create("/backends/tunnel_group", `{"labels": {"env": "prod", "app": "web"}}`)
	w.Create("/event_subscriptions/"+w.Parents.EventSubscription+"/sources", `{"type": "ip_policy_created.v0"}`)
	w.Put("/edges/tls/"+w.Parents.TLSEdge+"/policy", `{"inbound": [{"expressions": [], "actions": [{"type": "deny"}]}]}`)
	p := w.Protocol(t)
	for kind, want := range map[string][]string{
		"tls_certificate":      {"www.example.com (a.example.com, b.example.com, c.example.com and 2 more): shop"},
		"ssh_host_certificate": {"all hosts", "bastion.example.com, 192.0.2.10"},
		"ssh_credential":       {"alice@laptop " + ssh.FingerprintSHA256(public) + ": Alice"},
		"failover_backend":     {a + ", " + b + ": first a"},
		"group_backend":        {"app=web, env=prod"},
		"event_source":         {"ip_policy_created.v0"},
		"tls_edge_policy":      {"policy with 1 inbound and 0 outbound rules"},
	} {
		given := arguments{}
		if kind == "event_source" {
			given["subscription_id"] = text(w.Parents.EventSubscription)
		}
		var names []string
		for _, result := range p.List("tunnel_"+kind, 0, given) {
			names = append(names, result.Name)
		}
		if slices.Sort(names); !slices.Equal(names, want) {
			t.Errorf("%s: %q, want %q", kind, names, want)
		}
	}
}
