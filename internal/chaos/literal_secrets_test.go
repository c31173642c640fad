package chaos

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccSecrets_literalsAreNotPrinted writes secrets into the configuration, as
// nobody should. Terraform prints the lines of the argument that a diagnostic names,
// so a warning in each plan would put a private key into the log of the pipeline.
func TestAccSecrets_literalsAreNotPrinted(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{}.New(t)
	right, other := chain.PKCS8(t), testcert.PKCS8(t, testcert.Key(t, ""))
	certificate := func(key string) string {
		return "resource \"tunnel_tls_certificate\" \"test\" {\n  certificate_pem = <<EOT\n" + chain.PEM() + "EOT\n  " + key + "\n}\n"
	}
	literal := func(key string) string { return "<<EOT\n" + key + "EOT" }
	for name, test := range map[string]struct{ config, secret, says string }{
		"key in state":     {certificate("private_key_pem = " + literal(right)), right, "Available Write-Only Attribute"},
		"another key":      {certificate("private_key_pem = " + literal(other)), other, "does not match the certificate"},
		"another, by wo":   {certificate("private_key_pem_wo_version = 1\n  private_key_pem_wo = " + literal(other)), other, "does not match the certificate"},
		"no version of it": {certificate("private_key_pem_wo = " + literal(right)), right, "Set private_key_pem_wo_version"},
		"with the chain":   {"resource \"tunnel_tls_certificate\" \"test\" {\n  certificate_pem = <<EOT\n" + right + chain.PEM() + "EOT\n}\n", right, "certificate_pem"},
		"as a public key":  {"resource \"tunnel_ssh_credential\" \"test\" {\n  public_key = <<EOT\n" + right + "EOT\n}\n", right, "public_key must be"},
		"as a principal":   {"resource \"tunnel_ssh_credential\" \"test\" {\n  public_key = \"x\"\n  acl = [<<EOT\n" + right + "EOT\n  ]\n}\n", right, "acl"},
		"API key":          {"provider \"tunnel\" {\n  api_key = \"Bearer hunter2hunter2\"\n}\n" + certificate(""), "hunter2hunter2", "begins with"},
		"API key as file":  {"provider \"tunnel\" {\n  api_key_file = \"hunter2hunter2\"\n}\n" + certificate(""), "hunter2hunter2", "or the API key itself"},
		"header":           {"provider \"tunnel\" {\n  headers = { X-Token = \"hunter2hunter2 \" }\n}\n" + certificate(""), "hunter2hunter2", "not a valid HTTP header value"},
		"password in URL":  {"provider \"tunnel\" {\n  base_url = \"https://u:hunter2hunter2@api.example.com\"\n}\n" + certificate(""), "hunter2hunter2", "must not contain a username or password"},
		"secret of events": {"resource \"tunnel_event_destination\" \"test\" {\n  target = { debug = {} }\n  secret_wo = \"hunter2hunter2\"\n}\n", "hunter2hunter2", "secret_wo"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tf, _ := acctest.Installed(t, test.config)
			tf.Setenv(t, map[string]string{"TUNNEL_BASE_URL": w.URL, "TUNNEL_API_KEY": w.AdminKey})
			out, _ := tf.Try(t, "plan", "-no-color") // it validates first
			if !strings.Contains(strings.Join(strings.Fields(out), " "), test.says) {
				t.Errorf("%q is not in:\n%s", test.says, out)
			}
			for line := range strings.Lines(test.secret) {
				if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-----") && strings.Contains(out, line) {
					t.Fatalf("Terraform prints a secret:\n%s", out)
				}
			}
		})
	}
}
