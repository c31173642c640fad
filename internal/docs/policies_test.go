package docs

import (
	"strings"
	"testing"
)

// TestAccPoliciesGuide_findsHole runs the tests of the guide, with its policy
// and with one that has a hole.
func TestAccPoliciesGuide_findsHole(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := w.Terraform(t, "")
	policy := read(t, "guides/testing-policies/main.tf")
	tf.Write(t, "main.tf", policy)
	tf.Write(t, "policy.tftest.hcl", read(t, "guides/testing-policies/policy.tftest.hcl"))
	out := tf.Run(t, "test", "-no-color")
	t.Log(out)
	if !strings.Contains(out, "3 passed, 0 failed") {
		t.Errorf("the tests of the guide fail:\n%s", out)
	}
	tf.Write(t, "main.tf", strings.Replace(policy, "203.0.113.0/24", "0.0.0.0/0", 1))
	out, err := tf.Try(t, "test", "-no-color")
	t.Log(out)
	if err == nil || !strings.Contains(out, "A stranger gets in: no rule denies the connection.") || !strings.Contains(out, "2 passed, 1 failed") {
		t.Errorf("the tests do not find the hole: %v\n%s", err, out)
	}
	if w.Sent() != 0 {
		t.Errorf("%d requests were sent", w.Sent())
	}
}

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

// TestAccAccessTest_findsRule runs the test of the ACL in the guide, with its rules
// and with one that allows too much.
func TestAccAccessTest_findsRule(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := w.Terraform(t, "")
	module := read(t, "guides/testing-access/main.tf")
	tf.Write(t, "main.tf", module)
	tf.Write(t, "access.tftest.hcl", read(t, "guides/testing-access/access.tftest.hcl"))
	if out := tf.Run(t, "test", "-no-color"); !strings.Contains(out, "1 passed, 0 failed") {
		t.Errorf("the test of the guide fails:\n%s", out)
	}
	tf.Write(t, "main.tf", strings.Replace(module, "bind:env=dev", "bind:env=*", 1))
	out, err := tf.Try(t, "test", "-no-color")
	if err == nil || !strings.Contains(out, "A developer can bind: alice.dev.example.com, env=dev, env=prod.") {
		t.Errorf("the test does not find the rule: %v\n%s", err, out)
	}
	if w.Sent() != 0 {
		t.Errorf("%d requests were sent", w.Sent())
	}
}
