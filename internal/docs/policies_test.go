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
