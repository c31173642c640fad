package edgepolicy_test

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const document = `
on_tcp_connect:
  - name: only the office
    actions:
      - type: restrict-ips
        config: {enforce: true, allow: [192.0.2.0/24, 2001:db8::/32]}
  - expressions:
      - conn.client_port < 1024
    actions:
      - type: log
        config:
          metadata: {reason: low port, limit: 12345678901234567890}
      - type: deny
outbound:
`

// TestAccPolicyRules_document checks that the rules of a document can be managed and
// tested, and that the service's form of them plans no change.
func TestAccPolicyRules_document(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		tf := w.Terraform(t, `
locals {
  document = yamldecode(file("policy.yml"))
}
`+e.config(`inbound  = provider::tunnel::policy_rules(local.document, "on_tcp_connect")
  outbound = provider::tunnel::policy_rules(local.document, "outbound")`)+`
output "stranger" {
  value = provider::tunnel::policy_decision({ inbound = provider::tunnel::policy_rules(local.document, "on_tcp_connect") }, { conn = { client_ip = "198.51.100.7" } }).rule.name
}
`)
		tf.Write(t, "policy.yml", document)
		if out := tf.Apply(t); strings.Contains(out, "Warning") {
			t.Errorf("a warning:\n%s", acctest.Summary(out))
		}
		tf.ExpectNoChanges(t)
		want := `{"outbound": null, "inbound": [
			{"name": "only the office", "expressions": [], "actions": [{"type": "restrict-ips", "config": {"enforce": true, "allow": ["192.0.2.0/24", "2001:db8::/32"]}}]},
			{"name": "", "expressions": ["conn.client_port < 1024"], "actions": [{"type": "log", "config": {"metadata": {"reason": "low port", "limit": 12345678901234567890}}}, {"type": "deny", "config": null}]}
		]}`
		if err := w.HoldsJSON(e.path(), want)(nil); err != nil {
			t.Error(err)
		}
		var rule string
		if tf.OutputValue(t, "stranger", &rule); rule != "only the office" {
			t.Errorf("the decision names the rule %q", rule)
		}
		tf.Write(t, "policy.yml", strings.Replace(document, "expressions:", "expression:", 1))
		if out, err := tf.TryPlan(t); err == nil || !acctest.InError("document.on_tcp_connect[1] has the unknown attribute expression").MatchString(out) {
			t.Errorf("%v:\n%s", err, acctest.Summary(out))
		}
	})
}

// TestAccEdgePolicy_expressionsOfHeredocs checks that what CEL ignores is no
// difference, at a service that returns expressions in its own notation: no warning,
// and no change, also after an import.
func TestAccEdgePolicy_expressionsOfHeredocs(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		w.SetBehavior("cel_trimmed", "cel_spaces", "cel_requoted", "cel_parenthesized")
		tf := w.Terraform(t, e.config(`inbound = [{
    name        = "office"
    expressions = [<<-EOT
      conn.client_ip in ['192.0.2.1',
        '192.0.2.2']
    EOT
    , "conn.client_port  >  1"]
    actions = [{ type = "deny" }]
  }]`))
		if out := tf.Apply(t); strings.Contains(out, "Warning") {
			t.Errorf("a warning:\n%s", acctest.Summary(out))
		}
		tf.ExpectNoChanges(t)
		tf.Forget(t, e.address())
		tf.Import(t, e.address(), e.id)
		tf.ExpectNoChanges(t)
		tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), "'192.0.2.2'", "'192.0.2.3'", 1))
		if out := tf.Apply(t); !strings.Contains(out, "192.0.2.3") || strings.Contains(out, "Warning") {
			t.Errorf("the change:\n%s", acctest.Summary(out))
		}
		tf.ExpectNoChanges(t)
	})
}
