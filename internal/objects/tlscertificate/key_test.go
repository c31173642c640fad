package tlscertificate_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestAccTLSCertificate_writeOnlyKey(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	all, checks := w.Config(""), []statecheck.StateCheck{}
	for _, kind := range []string{"rsa2048", "p384", "ed25519"} {
		chain, address := testcert.ChainOf{Key: kind, Intermediates: 2}.New(t), "tunnel_tls_certificate."+kind
		all += named(kind, config(chain.PEM(), "", writeOnly(testcert.Traditional(t, chain.Signer), 1)))
		checks = append(checks,
			statecheck.ExpectKnownValue(address, tfjsonpath.New("private_key_pem_wo"), knownvalue.Null()),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("private_key_pem"), knownvalue.Null()),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("private_key_pem_wo_version"), knownvalue.Int64Exact(1)),
		)
	}
	w.Run(t, resource.TestStep{Config: all, ConfigStateChecks: checks})
}

func TestAccTLSCertificate_newKeyVersionReplaces(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{}.New(t)
	key := chain.PKCS8(t)
	w.Run(t,
		resource.TestStep{Config: w.Config(config(chain.PEM(), "", writeOnly(key, 1)))},
		resource.TestStep{
			Config:           w.Config(config(chain.PEM(), "", writeOnly(testcert.Traditional(t, chain.Signer), 1))),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectEmptyPlan()),
		},
		resource.TestStep{
			Config:           w.Config(config(chain.PEM(), "", writeOnly(key, 2))),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate)),
		},
		resource.TestStep{
			PreConfig:        w.ResetStats,
			Config:           w.Config(config(chain.PEM(), key)),
			ConfigPlanChecks: acctest.Planned(acctest.ExpectChanges(address, "private_key_pem", "private_key_pem_wo_version")),
			Check:            nothingSent(w),
		},
	)
}

// TestAccTLSCertificate_unknownValues uses a key and a certificate of another
// resource, which are unknown during the plan.
func TestAccTLSCertificate_unknownValues(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain, next := testcert.ChainOf{}.New(t), testcert.ChainOf{}.New(t)
	later := func(chain *testcert.Chain) string {
		const certificate = "certificate_pem = terraform_data.made.output.chain"
		return w.Config("resource \"terraform_data\" \"made\" {\n  input = { chain = %q, key = %q }\n}\n", chain.PEM(), chain.PKCS8(t)) +
			acctest.Resource("tunnel_tls_certificate.plain", certificate, "private_key_pem = terraform_data.made.output.key") +
			acctest.Resource("tunnel_tls_certificate.secret", certificate, "private_key_pem_wo = terraform_data.made.output.key", "private_key_pem_wo_version = 1")
	}
	w.Run(t,
		resource.TestStep{Config: later(chain)},
		resource.TestStep{
			Config: later(next),
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectResourceAction("tunnel_tls_certificate.plain", plancheck.ResourceActionDestroyBeforeCreate),
				plancheck.ExpectResourceAction("tunnel_tls_certificate.secret", plancheck.ResourceActionDestroyBeforeCreate),
			),
		},
	)
}

func TestAccTLSCertificate_ephemeralKey(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{}.New(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Providers(),
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_11_0)},
		Steps: []resource.TestStep{{
			Config: w.Config("variable \"key\" {\n  ephemeral = true\n  default = %q\n}\n", chain.PKCS8(t)) +
				config(chain.PEM(), "", "private_key_pem_wo = var.key\n  private_key_pem_wo_version = 1"),
		}},
	})
}
