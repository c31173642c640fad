package sshcertificateauthority_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const address = "tunnel_ssh_certificate_authority.test"

// TestAccSSHCertificateAuthority_keyIsDerived checks curve and key size. The
// service does not return them, so the provider derives them from the public
// key. Changing them replaces the authority.
func TestAccSSHCertificateAuthority_keyIsDerived(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	step := func(action plancheck.ResourceActionType, keyType string, curve, size knownvalue.Check, arguments ...string) resource.TestStep {
		return resource.TestStep{
			Config:           w.Config(acctest.Resource(address, arguments...)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}},
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("private_key_type"), knownvalue.StringExact(keyType)),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("elliptic_curve"), curve),
				statecheck.ExpectKnownValue(address, tfjsonpath.New("key_size"), size),
			},
		}
	}
	create, replace, none := plancheck.ResourceActionCreate, plancheck.ResourceActionReplace, plancheck.ResourceActionNoop
	p384, null, bits := knownvalue.StringExact("p384"), knownvalue.Null(), knownvalue.Int64Exact(2048)
	w.Run(t,
		step(create, "ecdsa", p384, null, `private_key_type = "ecdsa"`, `elliptic_curve = "p384"`),
		step(none, "ecdsa", p384, null, `private_key_type = "ecdsa"`),
		step(replace, "ecdsa", knownvalue.StringExact("p256"), null, `private_key_type = "ecdsa"`, `elliptic_curve = "p256"`),
		step(replace, "rsa", null, bits, `private_key_type = "rsa"`),
		step(none, "rsa", null, bits, `private_key_type = "rsa"`, `key_size = 2048`),
		step(replace, "ed25519", null, null, `private_key_type = "ed25519"`),
	)
}

func TestAccSSHCertificateAuthority_invalidCombinations(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for name, test := range map[string]struct {
		arguments []string
		want      string
	}{
		"curve of rsa": {[]string{`private_key_type = "rsa"`, `elliptic_curve = "p256"`}, "elliptic_curve is only valid with private_key_type"},
		"size alone":   {[]string{`key_size = 2048`}, "key_size is only valid with private_key_type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Run(t, resource.TestStep{Config: w.Config(acctest.Resource(address, test.arguments...)), PlanOnly: true, ExpectError: acctest.InError(test.want)})
		})
	}
}
