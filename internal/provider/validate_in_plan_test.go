package provider_test

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const typeMistake = `type must end with the version of the event type; found "ip_policy_created". Did you mean "ip_policy_created.v0"?`

// TestAccValidate_mistakesThatOnlyAPlanSees has values that terraform validate does
// not know. The plan, or the apply if the plan does not know them either, names the
// attribute at its line.
func TestAccValidate_mistakesThatOnlyAPlanSees(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	existing := w.Create("/event_subscriptions", `{"sources":[{"type":"ip_policy_created.v0"}]}`)
	source := func(more, typ string) string {
		return "resource \"tunnel_event_source\" \"t\" {\n  subscription_id = \"" + w.Parents.EventSubscription + "\"\n" + more + "  type            = " + typ + "\n}\n"
	}
	variable := "variable \"type\" { default = \"ip_policy_created\" }\n"
	for name, test := range map[string]struct {
		before, config string
		options        []string
		applies        bool // the plan succeeds
	}{
		"variable":        {"", variable + source("", "var.type"), nil, false},
		"for_each":        {"", source("  for_each        = toset([\"ip_policy_updated.v0\", \"ip_policy_created\"])\n", "each.value"), nil, false},
		"count":           {"", source("  count           = 1\n", `["ip_policy_created"][count.index]`), nil, false},
		"known by apply":  {"", "resource \"terraform_data\" \"t\" { input = \"ip_policy_created\" }\n" + source("", "terraform_data.t.output"), nil, true},
		"existing object": {source("", `"ip_policy_deleted.v0"`), variable + source("", "var.type"), []string{"-refresh=false"}, false},
		"import block": {"", "import {\n  to = tunnel_event_source.t\n  id = \"" + existing + "/ip_policy_created.v0\"\n}\n" + variable +
			strings.Replace(source("", "var.type"), w.Parents.EventSubscription, existing, 1), nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tf := w.Terraform(t, test.before)
			if test.before != "" {
				tf.Apply(t)
			}
			tf.Write(t, "main.tf", acctest.RequiredProviders+w.Config("%s", test.config))
			out, err := tf.TryPlan(t, test.options...)
			if test.applies && err == nil {
				out, err = tf.TryApply(t)
			} else if test.applies {
				t.Errorf("the plan already fails: %v", err)
			}
			for _, want := range []string{typeMistake, "on main.tf line", "type            ="} {
				if err == nil || !acctest.InError(want).MatchString(out) {
					t.Errorf("%q is not in\n%s", want, acctest.Summary(out))
				}
			}
		})
	}
}

// TestAccValidate_writeOnlyOfUnchangedObject has a write-only value that is wrong,
// while nothing else changes.
func TestAccValidate_writeOnlyOfUnchangedObject(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{}.New(t)
	tf := w.Terraform(t, "variable \"key\" {\n  type = string\n  sensitive = true\n}\nresource \"tunnel_tls_certificate\" \"t\" {\n  certificate_pem = <<-EOT\n"+
		chain.PEM()+"  EOT\n  private_key_pem_wo         = var.key\n  private_key_pem_wo_version = 1\n}\n")
	tf.Needs(t, acctest.WriteOnlyArguments)
	tf.SetVariables(t, map[string]any{"key": chain.PKCS8(t)})
	tf.Apply(t)
	tf.SetVariables(t, map[string]any{"key": testcert.ChainOf{}.New(t).PKCS8(t)})
	if out, err := tf.TryPlan(t); err == nil || !acctest.InError("does not match the certificate").MatchString(out) {
		t.Errorf("the plan does not say that the key is wrong:\n%s", acctest.Summary(out))
	}
}
