package sshhostcertificate_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccSSHHostCertificate_millisecondsPlanNoChange uses a service that shows
// milliseconds, which a certificate cannot contain and a configuration cannot
// set.
func TestAccSSHHostCertificate_millisecondsPlanNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.SetBehavior("times_milliseconds")
	key, authority := testcert.PublicKey(t, ""), w.Parents.SSHCertificateAuthority
	from, until := "2020-01-01T00:00:00Z", "2050-01-01T00:00:00Z"
	id := w.Create("/ssh_host_certificates", fmt.Sprintf(
		`{"ssh_certificate_authority_id": %q, "public_key": %q, "valid_after": %q, "valid_until": %q}`, authority, key, from, until))
	text := config(authority, key, fmt.Sprintf("valid_after = %q", from), fmt.Sprintf("valid_until = %q", until))
	w.Run(t,
		resource.TestStep{
			Config:           w.Config("import {\n  to = %s\n  id = %q\n}\n", address, id) + text,
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop)),
		},
		resource.TestStep{Config: w.Config(text), Taint: []string{address}},
		resource.TestStep{Config: w.Config(text), ConfigPlanChecks: acctest.Planned(plancheck.ExpectEmptyPlan())},
	)
	w.GeneratedConfigPlansNoChange(t, address, w.Create("/ssh_host_certificates",
		fmt.Sprintf(`{"ssh_certificate_authority_id": %q, "public_key": %q, "valid_until": %q}`, authority, key, until)))
}
