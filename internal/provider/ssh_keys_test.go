package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// sshKeyKinds are the kinds that have an SSH public key, with their other required
// arguments.
func sshKeyKinds(w *acctest.Env) map[string][]string {
	return map[string][]string{
		"tunnel_ssh_credential":       nil,
		"tunnel_ssh_host_certificate": {fmt.Sprintf("ssh_certificate_authority_id = %q", w.Parents.SSHCertificateAuthority)},
	}
}

func bareKey(public string) string { return strings.Join(strings.Fields(public)[:2], " ") }

func TestAccSSHKeys_commentPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	// Keys of each type for each kind, as written by ssh-keygen.
	keys := map[string]string{}
	for kind := range sshKeyKinds(w) {
		for form, bits := range map[string]string{"rsa": "2048", "ecdsa": "521", "ed25519": "256"} {
			keys[kind+"."+form], _ = testcert.SSHKeygen(t, form, bits)
		}
	}
	with := func(spelling func(string) string, more ...string) string {
		var text strings.Builder
		for address, public := range keys {
			kind, _, _ := strings.Cut(address, ".")
			all := append([]string{fmt.Sprintf("public_key = %q", spelling(public))}, more...)
			text.WriteString(acctest.Resource(address, append(all, sshKeyKinds(w)[kind]...)...))
		}
		return text.String()
	}
	tf := w.MeansTheSame(t, with(strings.Clone),
		with(bareKey),
		with(func(public string) string { return bareKey(public) + " somebody else's\n" }),
		with(func(public string) string { return strings.TrimSpace(public) + "\r\n" }),
	)
	var spelled []plancheck.PlanCheck
	for address, public := range keys {
		tf.ExpectAttribute(t, address, "public_key", public)
		if kind, form, _ := strings.Cut(address, "."); kind == "tunnel_ssh_host_certificate" {
			tf.ExpectAttribute(t, address, "key_type", form)
		}
		spelled = append(spelled, acctest.ExpectChanges(address, "description"))
	}
	tf.ExpectPlan(t, with(bareKey, `description = "new"`), spelled...)
}

// TestAccSSHKeys_importIsNotReplaced imports objects with the final newline of a file,
// and another comment.
func TestAccSSHKeys_importIsNotReplaced(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	var text strings.Builder
	for kind, more := range sshKeyKinds(w) {
		key := testcert.PublicKey(t, "alice@laptop")
		body := fmt.Sprintf(`{"public_key": %q, "ssh_certificate_authority_id": %q}`, key, w.Parents.SSHCertificateAuthority)
		if more == nil {
			body = fmt.Sprintf(`{"public_key": %q}`, key)
		}
		id := w.Create("/"+strings.TrimPrefix(kind, "tunnel_")+"s", body)
		fmt.Fprintf(&text, "import {\n  to = %s.test\n  id = %q\n}\n", kind, id)
		text.WriteString(acctest.Resource(kind+".test", append(more, fmt.Sprintf("public_key = %q", strings.Replace(key, "alice", "bob", 1)+"\n"))...))
	}
	tf := w.Terraform(t, text.String())
	if out := tf.Apply(t); !strings.Contains(out, "2 imported, 0 added, 0 changed, 0 destroyed") {
		t.Errorf("the import changes something:\n%s", acctest.Summary(out))
	}
}
