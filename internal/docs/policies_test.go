package docs

import (
	"strings"
	"testing"
)

// TestAccPoliciesGuide_reviewByDecisions checks that a plan and the script of the guide
// show which decisions a change of the policy changes, and nothing else.
func TestAccPoliciesGuide_reviewByDecisions(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := pipelineTerraform(t, w, "guides/testing-policies/main.tf")
	tf.Write(t, "decisions.sh", read(t, "guides/testing-policies/decisions.sh"))
	review := func() string {
		t.Helper()
		out, err := tf.Shell(t, "terraform init -input=false >/dev/null && terraform plan -no-color -out=pr.tfplan && sh decisions.sh pr.tfplan")
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return out
	}
	if out := review(); !strings.Contains(out, "office on admin: new to allow\n") {
		t.Errorf("a new policy has no decisions:\n%s", out)
	}
	if out, err := tf.Shell(t, "terraform apply pr.tfplan"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out := review(); !strings.Contains(out, "No changes.") || strings.Contains(out, "on app: ") || strings.Contains(out, "on admin: ") {
		t.Errorf("an unchanged policy has other decisions:\n%s", out)
	}
	tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), "203.0.113.0/24", "198.51.100.0/24", 1))
	out := review()
	for _, want := range []string{
		`"stranger on admin" = "deny" -> "allow"`, "\nstranger on admin: deny to allow\n", "\noffice on admin: allow to deny\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in the review:\n%s", want, out)
		}
	}
	if strings.Contains(out, "on app: ") {
		t.Errorf("a decision that does not change is shown:\n%s", out)
	}
}
