package sshcredential_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestAccSSHCredential_keyCommentPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	// One key of each type, as written by ssh-keygen.
	keys := map[string]string{}
	for kind, bits := range map[string]string{"rsa": "2048", "ecdsa": "521", "ed25519": "256"} {
		keys[kind], _ = testcert.SSHKeygen(t, kind, bits)
	}
	with := func(spelling func(string) string, more ...string) string {
		text := ""
		for kind, public := range keys {
			text += strings.Replace(config(spelling(public), more...), `"test"`, `"`+kind+`"`, 1)
		}
		return text
	}
	bare := func(public string) string { return strings.Join(strings.Fields(public)[:2], " ") }
	tf := w.MeansTheSame(t, with(strings.Clone),
		with(bare),
		with(func(public string) string { return bare(public) + " somebody else's\n" }),
		with(func(public string) string { return strings.TrimSpace(public) + "\r\n" }),
	)
	var spelled []plancheck.PlanCheck
	for kind, public := range keys {
		at := "tunnel_ssh_credential." + kind
		tf.ExpectAttribute(t, at, "public_key", public)
		spelled = append(spelled, acctest.ExpectChanges(at, "description"))
	}
	tf.ExpectPlan(t, with(bare, `description = "new"`), spelled...)
}

func TestAccSSHCredential_importIsNotReplaced(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "alice@laptop")
	id := w.Create("/ssh_credentials", fmt.Sprintf(`{"public_key": %q}`, key))
	w.Run(t,
		resource.TestStep{
			// The key has a final newline, like in a file, and another
			// comment.
			Config:           w.Config("import {\n  to = %s\n  id = %q\n}\n", address, id) + config(strings.Replace(key, "alice", "bob", 1)+"\n"),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop)),
		},
	)
}

func TestAccSSHCredential_generatedConfigPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for _, acl := range []string{`[]`, `["bind:*.example.com", "bind:env=prod"]`} {
		w.GeneratedConfigPlansNoChange(t, address, w.Create("/ssh_credentials",
			fmt.Sprintf(`{"public_key": %q, "acl": %s, "owner_id": %q}`, testcert.PublicKey(t, "me"), acl, w.OrdinaryOwner)))
	}
}

func TestAccSSHCredential_createBeforeDestroy(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	before := "lifecycle {\n    create_before_destroy = true\n  }"
	w.Run(t,
		resource.TestStep{Config: w.Config(config(testcert.PublicKey(t, "old"), before))},
		resource.TestStep{
			PreConfig:        w.ResetStats,
			Config:           w.Config(config(testcert.PublicKey(t, "new"), before)),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreateBeforeDestroy)),
			Check:            w.CreatedBeforeDeleted("/ssh_credentials"),
		},
	)
}
