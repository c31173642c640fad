package ippolicyrule_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestIPPolicyRule_many checks that hundreds of rules, which a rate limit of 120 requests
// a minute would make impossible one by one, are read with a few requests.
func TestIPPolicyRule_many(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	policy := w.Create("/ip_policies", `{}`)
	states := make([]tftypes.Value, 300)
	for i := range states {
		id := w.Create("/ip_policy_rules", fmt.Sprintf(`{"ip_policy_id": %q, "action": "allow", "cidr": "10.%d.0.0/16"}`, policy, i%256))
		states[i], _ = p.Import("tunnel_ip_policy_rule", id, nil)
	}
	p = p.NextRun()
	w.ResetStats()
	for _, state := range states {
		p.Read("tunnel_ip_policy_rule", state, nil)
	}
	if requests := w.Stats().Total; requests > 10 {
		t.Errorf("%d requests for %d rules", requests, len(states))
	}
}

// TestIPPolicyRule_policyInOtherForms checks that a service which shows its policy by the
// ID alone, or not at all, does not make a plan replace the rule, also after an import.
func TestIPPolicyRule_policyInOtherForms(t *testing.T) {
	t.Parallel()
	for name, rename := range map[string]string{
		"the ID alone": `"ip_policy_id":"POLICY"`, "nothing": `"other":1`, "null": `"ip_policy":null`, "no ID": `"ip_policy":{"id":null}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			policy := w.Create("/ip_policies", `{}`)
			id := w.Create("/ip_policy_rules", fmt.Sprintf(`{"ip_policy_id": %q, "action": "allow", "cidr": "192.0.2.0/24"}`, policy))
			state, _ := w.Protocol(t).Import("tunnel_ip_policy_rule", id, nil)
			shape := regexp.MustCompile(`"ip_policy":\{[^}]*\}`)
			proxy := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
				recorded := httptest.NewRecorder()
				w.ServeHTTP(recorded, r)
				maps.Copy(out.Header(), recorded.Header())
				out.Header().Del("Content-Length")
				out.WriteHeader(recorded.Code)
				_, _ = out.Write(shape.ReplaceAll(recorded.Body.Bytes(), []byte(strings.Replace(rename, "POLICY", policy, 1))))
			}))
			t.Cleanup(proxy.Close)
			p := acctest.NewProtocol(t)
			p.Configure(map[string]tftypes.Value{"base_url": acctest.Text(proxy.URL), "api_key": acctest.Text(w.AdminKey)})
			if now, _ := p.Read("tunnel_ip_policy_rule", state, nil); p.Strings(now)["ip_policy_id"] != policy {
				t.Errorf("ip_policy_id is %q, want %q", p.Strings(now)["ip_policy_id"], policy)
			}
			imported, _ := p.Import("tunnel_ip_policy_rule", id, nil)
			if plan := p.Plan("tunnel_ip_policy_rule", imported, p.Kept("tunnel_ip_policy_rule", state)); name != "the ID alone" {
				acctest.Expect(t, plan.Diagnostics, tfprotov6.DiagnosticSeverityWarning, acctest.At("ip_policy_id"), "does not contain ip_policy_id")
			}
			w.ResetStats()
			applied, _ := p.Apply("tunnel_ip_policy_rule", imported, p.Kept("tunnel_ip_policy_rule", state))
			if p.Strings(applied)["ip_policy_id"] != policy || w.Stats().Requests["PATCH /ip_policy_rules/{id}"] > 0 {
				t.Errorf("the import applies %s, want %s", applied, state)
			}
			p.PlansNoChange("tunnel_ip_policy_rule", applied)
		})
	}
}
