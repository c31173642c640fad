package tlscertificate_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccTLSCertificate_inUse checks that the error names the domain that uses
// a certificate.
func TestAccTLSCertificate_inUse(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain, key := testcert.Certificate(t, "www.example.com")
	config := w.Config(fmt.Sprintf("resource \"tunnel_tls_certificate\" \"test\" {\n  certificate_pem = %q\n  private_key_pem = %q\n}\n", chain, key))
	var domain string
	w.Run(t,
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				id := w.List("/tls_certificates")[0]["id"]
				domain = w.Create("/reserved_domains", fmt.Sprintf(`{"domain": "www.example.com", "certificate_id": %q}`, id))
			},
			Config: config, Destroy: true, ExpectError: acctest.InError("(www.example.com)"),
		},
		resource.TestStep{PreConfig: func() { w.Delete("/reserved_domains/" + domain) }, Config: config},
	)
}
