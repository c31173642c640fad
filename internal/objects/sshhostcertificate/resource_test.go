package sshhostcertificate_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const address = "tunnel_ssh_host_certificate.test"

// config returns a host certificate for a public key with additional arguments.
func config(authority, publicKey string, more ...string) string {
	return acctest.Resource(address, append(more, fmt.Sprintf("ssh_certificate_authority_id = %q", authority), fmt.Sprintf("public_key = %q", publicKey))...)
}

func TestAccSSHHostCertificate_missingAuthority(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t, resource.TestStep{
		Config:      w.Config(config("sshca_none", testcert.PublicKey(t, ""))),
		ExpectError: regexp.MustCompile(`(?s)Error creating SSH host certificate.*ssh_certificate_authority_id.*400 Bad Request`),
	})
	if certificates := w.List("/ssh_host_certificates"); len(certificates) != 0 {
		t.Errorf("%d certificates exist", len(certificates))
	}
}
