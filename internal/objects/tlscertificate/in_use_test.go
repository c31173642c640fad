package tlscertificate_test

import (
	"fmt"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccTLSCertificate_inUse checks that the error names the domain that uses
// a certificate.
func TestAccTLSCertificate_inUse(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain, key := testcert.Certificate(t, "www.example.com")
	tf := w.Terraform(t, config(chain, key))
	tf.Apply(t)
	domain := w.Create("/reserved_domains", fmt.Sprintf(`{"domain": "www.example.com", "certificate_id": %q}`, w.List("/tls_certificates")[0]["id"]))
	if out, err := tf.TryDestroy(t); err == nil || !acctest.InError("(www.example.com)").MatchString(out) {
		t.Errorf("%v:\n%s", err, acctest.Summary(out))
	}
	w.Delete("/reserved_domains/" + domain)
	tf.Destroy(t)
}
