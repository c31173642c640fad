package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccMocks_areValid tests the complete example and all data sources with mocks, which
// plans show as well if a test wants that.
func TestAccMocks_areValid(t *testing.T) {
	t.Parallel()
	w, _ := startServer(t)
	tf := terraform(t, w, "")
	tf.Needs(t, acctest.MocksInPlans)
	var more strings.Builder
	for _, kind := range acctest.Kinds {
		arguments := ""
		for name, value := range kind.ExampleKeys() {
			arguments += fmt.Sprintf("  %s = %q\n", name, value)
		}
		fmt.Fprintf(&more, "data %q \"one\" {\n%s}\n\ndata %q \"all\" {}\n\n", kind.Type, arguments, kind.TypeOfMany)
	}
	more.WriteString(`
output "valid" {
  value = {
    expiry      = timecmp(data.tunnel_tls_certificate.one.not_after, "2090-01-01T00:00:00Z")
    names       = data.tunnel_tls_certificate.one.subject_alternative_names.dns_names
    principals  = provider::tunnel::ssh_certificate(data.tunnel_ssh_host_certificate.one.certificate).principals
    signer      = provider::tunnel::ssh_certificate(data.tunnel_ssh_host_certificate.one.certificate).ca_fingerprint
    authority   = provider::tunnel::ssh_fingerprint(data.tunnel_ssh_certificate_authority.one.public_key)
    credential  = provider::tunnel::ssh_fingerprint(data.tunnel_ssh_credential.one.public_key)
    headers     = data.tunnel_http_response_backend.one.headers
    destination = data.tunnel_event_destination.one.target.debug.callback_url
  }
}
`)
	tf.Write(t, "main.tf", strings.Replace(read(t, "complete/main.tf"), `provider "tunnel" {} # TUNNEL_BASE_URL and TUNNEL_API_KEY in the environment`, "", 1)+`
resource "tunnel_reserved_domain" "managed" {
  domain                        = "managed.example.com"
  certificate_management_policy = { authority = "letsencrypt" }
}
`)
	tf.Write(t, "data.tf", more.String())
	tf.SetVariables(t, map[string]any{"bastion_host_key": testcert.PublicKey(t, "root@bastion")})
	writeIn(t, tf, "mocks/tunnel.tfmock.hcl", read(t, mocksFile))
	writeIn(t, tf, "tests/all.tftest.hcl", `mock_provider "tunnel" {
  source = "./mocks"
}

run "plan" {
  command = plan
}

run "apply" {
  assert {
    condition = jsonencode(output.valid) == jsonencode({
      expiry      = 1
      names       = ["*.example.com", "www.example.com"]
      principals  = ["bastion.example.com"]
      signer      = output.valid.authority
      authority   = output.valid.authority
      credential  = output.valid.credential
      headers     = { content-type = "text/plain" }
      destination = "https://hooks.example.com/events"
    })
    error_message = "The mocked values are ${jsonencode(output.valid)}."
  }
}
`)
	writeIn(t, tf, "tests/plans.tftest.hcl", `mock_provider "tunnel" {
  source          = "./mocks"
  override_during = plan
}

run "apply" {}
`)
	writeIn(t, tf, "found/main.tf", acctest.RequiredProviders+`data "tunnel_tls_certificates" "all" {}
output "certificates" {
  value = data.tunnel_tls_certificates.all.tls_certificates
}
`)
	tf.Write(t, "found.tf", "module \"found\" {\n  source = \"./found\"\n}\n")
	writeIn(t, tf, "tests/found.tftest.hcl", `mock_provider "tunnel" {
  source = "./mocks"
}

run "plural_data_source" {
`+regexp.MustCompile(`(?s)  override_module .*?\n  }\n`).FindString(readFile(t, "../../templates/guides/testing.md.tmpl"))+`
  assert {
    condition     = module.found.certificates[0].id == "cert_1"
    error_message = "The module is not overridden."
  }
}
`)
	tf.Run(t, "get")
	if out := tf.Run(t, "test"); !strings.Contains(out, "4 passed, 0 failed") || strings.Contains(out, "Warning") {
		t.Errorf("terraform test prints:\n%s", out)
	}
	if n := w.Sent(); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// TestAccGuides_terraformTest runs the tests of a guide with its module, and with a
// module that has the mistake that they look for.
func TestAccGuides_terraformTest(t *testing.T) {
	t.Parallel()
	bin, err := testServer()
	if err != nil {
		t.Fatal(err)
	}
	for guide, test := range map[string]struct{ command, passes, right, wrong, fails string }{
		"testing-modules": {
			"tunnel-testserver -- sh -c 'terraform test -no-color && sh tests/expect.sh'", "5 passed, 0 failed", "= [var.hostname]", `= ["a.example.com"]`,
			"The certificate is not for the hostname.",
		},
		"testing-policies": {
			"terraform test", "3 passed, 0 failed", "203.0.113.0/24", "0.0.0.0/0", "A stranger gets in: no rule denies the connection.",
		},
		"testing-access": {
			"terraform test", "1 passed, 0 failed", "bind:env=dev", "bind:env=*", "A developer can bind: alice.dev.example.com, env=dev, env=prod.",
		},
		"time-travel": {
			"TUNNEL_REHEARSAL_CLOCK=true tunnel-testserver -- terraform test", "5 passed, 0 failed", "= 30 * 24", "= 29 * 24",
			"is not renewed 30 days before its end",
		},
	} {
		t.Run(guide, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			tf := mirrored(t, w)
			tf.Needs(t, acctest.OutputsOfRuns)
			for _, pattern := range []string{"*.*", "tests/*.*", "tests/*/*.*"} {
				names, _ := filepath.Glob(filepath.Join(examples, "guides", guide, pattern)) // the pattern is valid
				for _, name := range names {
					at, _ := filepath.Rel(filepath.Join(examples, "guides", guide), name)
					writeIn(t, tf, at, readFile(t, name))
				}
			}
			tf.Init(t)
			run := func() (string, error) {
				return tf.Shell(t, test.command+" -no-color", "PATH="+bin+string(os.PathListSeparator)+acctest.ShellPath(t))
			}
			if out, err := run(); err != nil || !strings.Contains(out, test.passes) {
				t.Errorf("%v\n%s", err, acctest.Summary(out))
			}
			tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), test.right, test.wrong, 1))
			if out, err := run(); err == nil || !strings.Contains(out, test.fails) {
				t.Errorf("the test does not find the mistake: %v\n%s", err, acctest.Summary(out))
			}
			if w.Sent() != 0 {
				t.Errorf("%d requests were sent", w.Sent())
			}
		})
	}
}

// writeIn writes a file in a subdirectory.
func writeIn(t *testing.T, tf *acctest.Terraform, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(tf.Dir, filepath.Dir(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	tf.Write(t, name, content)
}
