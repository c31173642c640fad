package edgepolicy_test

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestAccPolicyDecision_edgeToCreate checks that the decision is known while
// planning the edge of the policy, unless it depends on what is unknown, and
// that preconditions and check blocks can use it.
func TestAccPolicyDecision_edgeToCreate(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	legacy := tlsEdge(w)
	w.Put(legacy.path(), `{"inbound": [{"expressions": ["conn.client_ip == '192.0.2.1'"], "actions": [{"type": "deny"}]}]}`)
	config := `
resource "tunnel_tls_edge" "new" {}

resource "tunnel_tls_edge_policy" "new" {
  edge_id = tunnel_tls_edge.new.id
  inbound = [{ name = "block", expressions = ["conn.client_ip == '192.0.2.1'"], actions = [{ type = "deny" }] }]
}

locals {
  bad      = { conn = { client_ip = "192.0.2.1" } }
  stranger = { conn = { client_ip = "198.51.100.7" } }
}

output "bad" {
  value = provider::tunnel::policy_decision(tunnel_tls_edge_policy.new, local.bad).rule.name
  precondition {
    condition     = provider::tunnel::policy_decision(tunnel_tls_edge_policy.new, local.stranger).decision == "STRANGER"
    error_message = "The decision about a stranger is not as expected."
  }
}

output "by_id" {
  value = provider::tunnel::policy_decision(tunnel_tls_edge_policy.new, { conn = { client_ip = tunnel_tls_edge.new.id } }).decision
}

data "tunnel_tls_edge_policy" "legacy" {
  edge_id = "` + legacy.id + `"
}

check "legacy_is_closed" {
  assert {
    condition     = provider::tunnel::policy_decision(data.tunnel_tls_edge_policy.legacy, local.stranger).decision == "deny"
    error_message = format("A stranger on the legacy edge: %s.", provider::tunnel::policy_decision(data.tunnel_tls_edge_policy.legacy, local.stranger).reason)
  }
}
`
	expected := strings.ReplaceAll(config, "STRANGER", "allow")
	tf := w.Terraform(t, expected)
	out := tf.Plan(t)
	for _, want := range []string{`+ bad   = "block"`, "+ by_id = (known after apply)", "Check block assertion failed", "A stranger on the legacy edge: "} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %q in the plan:\n%s", want, out)
		}
	}
	tf.Apply(t)
	var decision string
	if tf.OutputValue(t, "by_id", &decision); decision != "allow" {
		t.Errorf("got the decision %q after apply; expected allow", decision)
	}
	if out := tf.Plan(t); !strings.Contains(out, "No changes.") {
		t.Errorf("the configuration plans changes after apply:\n%s", acctest.Summary(out))
	}

	refused, err := w.Terraform(t, strings.ReplaceAll(config, "STRANGER", "deny")).TryPlan(t)
	if err == nil || !strings.Contains(refused, "The decision about a stranger is not as expected.") {
		t.Errorf("the plan ignores the precondition: %v\n%s", err, acctest.Summary(refused))
	}
}
