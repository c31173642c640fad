package docs

import (
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccRehearsal_findsWhatAPlanDoesNot applies a configuration, and rehearses
// changes of it whose plans are clean.
func TestAccRehearsal_findsWhatAPlanDoesNot(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	key := testcert.PublicKey(t, "taken")
	w.Create("/ssh_credentials", `{"public_key": "`+key+`"}`)
	const base = `terraform {
  required_providers {
    tunnel = { source = "tunnel-service/tunnel" }
  }
}
resource "tunnel_group_backend" "web" {
  labels = { app = "web" }
}
resource "tunnel_tls_edge" "web" {}
`
	const before = base + `resource "tunnel_failover_backend" "web" {
  backends = [tunnel_group_backend.web.id]
}
resource "tunnel_tls_edge_backend" "web" {
  edge_id    = tunnel_tls_edge.web.id
  backend_id = tunnel_failover_backend.web.id
}
`
	pointed := base + "resource \"tunnel_tls_edge_backend\" \"web\" {\n  edge_id = tunnel_tls_edge.web.id\n  backend_id = tunnel_group_backend.web.id\n}\n"
	tf, search := copying(t, w)
	tf.Write(t, "main.tf", before)
	if out, err := tf.Shell(t, "terraform init -input=false && terraform apply -auto-approve -input=false"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	account, state := w.Export(), tf.Read(t, "terraform.tfstate")
	for name, test := range map[string]struct {
		config, want string
		code         int
	}{
		"no change":     {before, "No changes", 0},
		"a good change": {before + "resource \"tunnel_tcp_edge\" \"new\" {}\nresource \"terraform_data\" \"new\" {}\n", "2 added, 0 changed, 0 destroyed", 0},
		"still in use":  {pointed, "still in use", 1},
		"key exists":    {before + "resource \"tunnel_ssh_credential\" \"new\" { public_key = \"" + key + "\" }\n", "already exists", 1},
		"never the same": {
			before + "resource \"tunnel_tcp_edge\" \"new\" {\n  description = timestamp()\n}\n", "the apply works, but the plan after it has changes", 2,
		},
		"invalid": {"{", "read the state", 1},
	} {
		t.Run(name, func(t *testing.T) {
			tf.Write(t, "main.tf", test.config)
			expectCopied(t, w, tf, copyCommands["rehearse"], test.code, test.want, search, "TUNNEL_API_KEY="+w.ReadOnlyKey)
		})
	}
	tf.Write(t, "main.tf", before)
	expectCopied(t, w, tf, copyCommands["rehearse"], 1, "connection refused", search, "TUNNEL_BASE_URL=http://127.0.0.1:1")
	if string(w.Export()) != string(account) || tf.Read(t, "terraform.tfstate") != state {
		t.Error("a rehearsal changed the account or the state")
	}
	tf.Write(t, "terraform.tfstate", "{")
	expectCopied(t, w, tf, copyCommands["rehearse"], 1, "state", search)
}
