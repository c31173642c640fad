package reserveddomain_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
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

func TestReservedDomain_certificateAndPolicyExclude(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	both := map[string]any{"domain": "www.example.com", "certificate_id": "cert_1", "certificate_management_policy": map[string]any{"authority": "letsencrypt"}}
	acctest.Expect(t, p.Validate(kind, p.Attributes(acctest.FromJSON(p.Type(kind), both))), tfprotov6.DiagnosticSeverityError, acctest.At("certificate_id"),
		"Remove certificate_id to let the service get the certificate")
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
