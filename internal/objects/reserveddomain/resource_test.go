package reserveddomain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const address = "tunnel_reserved_domain.test"

func config(arguments ...string) string {
	return acctest.Resource(address, append(arguments, `domain = "www.example.com"`)...)
}

const policy = `certificate_management_policy = { authority = "letsencrypt" }`

func with(certificate string) string { return fmt.Sprintf("certificate_id = %q", certificate) }

// TestAccReservedDomain_certificateAndPolicy changes between certificates and
// the policy in place.
func TestAccReservedDomain_certificateAndPolicy(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	one, two := w.CreateTLSCertificate(t), w.CreateTLSCertificate(t)
	inPlace := resource.ConfigPlanChecks{
		PreApply:            []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)},
		PostApplyPreRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}
	w.Run(t,
		resource.TestStep{Config: w.Config(config(with(one))), Check: resource.TestCheckResourceAttr(address, "certificate.id", one)},
		resource.TestStep{Config: w.Config(config(with(two))), ConfigPlanChecks: inPlace, Check: resource.TestCheckResourceAttr(address, "certificate.id", two)},
		resource.TestStep{Config: w.Config(config(policy)), ConfigPlanChecks: inPlace, Check: resource.ComposeTestCheckFunc(
			resource.TestCheckNoResourceAttr(address, "certificate.id"),
			resource.TestCheckResourceAttr(address, "certificate_management_policy.private_key_type", "ecdsa"),
			resource.TestCheckResourceAttrSet(address, "certificate_management_status.provisioning_job.msg"),
		)},
		resource.TestStep{ // the service gets a certificate
			PreConfig: func() {
				w.ForceEdit("/reserved_domains/"+w.List("/reserved_domains")[0]["id"].(string), fmt.Sprintf(`{"certificate_id": %q}`, one))
			},
			Config:           w.Config(config(policy)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			Check: resource.ComposeTestCheckFunc(
				resource.TestCheckResourceAttr(address, "certificate.id", one),
				resource.TestCheckNoResourceAttr(address, "certificate_id"),
				resource.TestCheckResourceAttrSet(address, "certificate_management_status.renews_at"),
			),
		},
		resource.TestStep{Config: w.Config(config(policy, `description = "d"`)), ConfigPlanChecks: inPlace, Check: resource.TestCheckResourceAttr(address, "certificate.id", one)},
		resource.TestStep{Config: w.Config(config(with(two))), ConfigPlanChecks: inPlace},
		resource.TestStep{Config: w.Config(config()), ConfigPlanChecks: inPlace, Check: resource.TestCheckNoResourceAttr(address, "certificate.id")},
	)
}

func TestAccReservedDomain_caseIsIgnored(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t,
		resource.TestStep{Config: w.Config(config())},
		resource.TestStep{
			Config:           w.Config(strings.Replace(config(), "www", "WWW", 1)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop)}},
		},
		resource.TestStep{
			Config:           w.Config(strings.Replace(config(), "www", "shop", 1)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionReplace)}},
		},
	)
}

func TestAccReservedDomain_invalidArguments(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for name, test := range map[string]struct{ config, want string }{
		"certificate and policy": {config(with("cert_1"), policy), "Remove certificate_id to let the service get the certificate"},
		"no key type":            {config(`certificate_management_policy = { authority = "letsencrypt", private_key_type = "" }`), "private_key_type must not be empty"},
		"a port":                 {strings.Replace(config(), "example.com", "example.com:443", 1), "found a port"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Run(t, resource.TestStep{Config: w.Config(test.config), PlanOnly: true, ExpectError: acctest.InError(test.want)})
		})
	}
}

func TestReservedDomain_misspelledAuthorityWarns(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for authority, warns := range map[string]bool{"letsencrypt": false, "another": false, "LetsEncrypt": true, "letsencript": true} {
		arguments := map[string]any{"domain": "www.example.com", "certificate_management_policy": map[string]any{"authority": authority}}
		given := acctest.FromJSON(p.Type("tunnel_reserved_domain"), arguments)
		found := p.Check("tunnel_reserved_domain", p.Attributes(given))
		if warns {
			acctest.Expect(t, found, tfprotov6.DiagnosticSeverityWarning, acctest.At("certificate_management_policy"), "certificate_management_policy.authority is \""+authority, `Did you mean "letsencrypt"?`)
		} else {
			acctest.ExpectNone(t, found)
		}
	}
}

// TestAccReservedDomain_inUse checks that the error names the edge that serves
// a domain.
func TestReservedDomain_unusualDomainWarns(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for domain, want := range map[string]string{
		"192.0.2.1":       `domain is an IP address: "192.0.2.1". Expected a domain such as www.example.com. The service may reject it.`,
		"localhost":       `domain has one label: "localhost". Expected a domain such as www.example.com.`,
		"example.com":     "",
		"*.example.com":   "",
		"192.0.2.example": "",
	} {
		found := p.Check("tunnel_reserved_domain", map[string]tftypes.Value{"domain": acctest.Text(domain)})
		if want == "" {
			acctest.ExpectNone(t, found)
			continue
		}
		acctest.Expect(t, found, tfprotov6.DiagnosticSeverityWarning, acctest.At("domain"), want)
		if len(found) != 1 || found[0].Summary != "Unusual domain" {
			t.Errorf("%s: expected one warning; found %d", domain, len(found))
		}
	}
}

func TestAccReservedDomain_inUse(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	edge := w.Create("/edges/https", `{"hostports": ["shop.example.com:443", "WWW.example.com:443"]}`)
	w.Run(t,
		resource.TestStep{Config: w.Config(config())},
		resource.TestStep{Config: w.Config(config()), Destroy: true, ExpectError: acctest.InError("HTTPS edge " + edge)},
		resource.TestStep{PreConfig: func() { w.Delete("/edges/https/" + edge) }, Config: w.Config(config())},
	)
}

func TestAccReservedDomain_dataSourceByDomain(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	id := w.Create("/reserved_domains", `{"domain": "Www.example.com"}`)
	read := func(domain string) string {
		return fmt.Sprintf("data \"tunnel_reserved_domain\" \"test\" {\n  domain = %q\n}\n", domain)
	}
	w.Run(t,
		resource.TestStep{Config: w.Config(read("www.EXAMPLE.com")), Check: resource.TestCheckResourceAttr("data.tunnel_reserved_domain.test", "id", id)},
		resource.TestStep{Config: w.Config(read("example.com")), ExpectError: acctest.InError(`None of the reserved domains in the account is "example.com". Existing: Www.example.com`)},
	)
}

// TestAccReservedDomain_unicode checks that domains, hostports and ACL rules can be in
// Unicode: the service gets punycode, the state keeps what the user wrote, and both
// notations plan no change.
func TestAccReservedDomain_unicode(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := w.Terraform(t, fmt.Sprintf(`
resource "tunnel_reserved_domain" "test" {
  domain = "Bücher.example.com"
}
resource "tunnel_https_edge" "test" {
  hostports = ["${tunnel_reserved_domain.test.domain}:443"]
}
resource "tunnel_ssh_credential" "test" {
  public_key = %q
  acl        = ["bind:*.bücher.example.com", "bind:Bücher.example.com:22", "bind:regal=bücher"]
}
output "ids" {
  value = [tunnel_reserved_domain.test.domain, tunnel_reserved_domain.test.id, tunnel_https_edge.test.id, tunnel_ssh_credential.test.id]
}
`, testcert.PublicKey(t, "")))
	if out := tf.Apply(t); strings.Contains(out, "Warning") {
		t.Errorf("a warning:\n%s", acctest.Summary(out))
	}
	tf.ExpectNoChanges(t)
	ids := make([]string, 4)
	if tf.OutputValue(t, "ids", &ids); ids[0] != "Bücher.example.com" {
		t.Errorf("the state has %s", ids[0])
	}
	for path, want := range map[string]map[string]any{
		"/reserved_domains/" + ids[1]: {"domain": "xn--bcher-kva.example.com"},
		"/edges/https/" + ids[2]:      {"hostports": []any{"xn--bcher-kva.example.com:443"}},
		"/ssh_credentials/" + ids[3]:  {"acl": acctest.Set{"bind:*.xn--bcher-kva.example.com", "bind:xn--bcher-kva.example.com:22", "bind:regal=bücher"}},
	} {
		if err := w.Holds(path, want); err != nil {
			t.Error(err)
		}
	}
	tf.Write(t, "main.tf", strings.NewReplacer("Bücher", "xn--bcher-kva", "*.bücher", "*.xn--bcher-kva").Replace(tf.Read(t, "main.tf")))
	tf.ExpectNoChanges(t)
}

// TestAccReservedDomain_lookupInUnicode checks that a data source finds a domain in
// either notation.
func TestAccReservedDomain_lookupInUnicode(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	id := w.Create("/reserved_domains", `{"domain": "xn--bcher-kva.example.com"}`)
	const data = "data.tunnel_reserved_domain.test"
	w.Run(t, resource.TestStep{
		Config: w.Config(`data "tunnel_reserved_domain" "test" { domain = "Bücher.example.com" }`),
		Check:  resource.TestCheckResourceAttr(data, "id", id),
	})
}
