package tlscertificate_test

import (
	"fmt"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccTLSCertificate_refreshOnlyFindsNoDrift checks the exit code that pipelines use
// to detect drift, for a certificate with an ephemeral key. It repeats the plan, because
// Terraform compares stored values in random order.
func TestAccTLSCertificate_refreshOnlyFindsNoDrift(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{}.New(t)
	tf := w.Terraform(t, fmt.Sprintf("variable \"key\" {\n  ephemeral = true\n  default = %q\n}\n\nresource \"tunnel_tls_certificate\" \"test\" {\n"+
		"  certificate_pem = %q\n  private_key_pem_wo = var.key\n}\n", chain.PKCS8(t), chain.PEM()))
	tf.Needs(t, acctest.WriteOnlyArguments)
	tf.Apply(t)
	for range 6 {
		if out, err := tf.Try(t, "plan", "-refresh-only", "-detailed-exitcode", "-no-color"); err != nil {
			t.Fatalf("%v\n%s", err, acctest.Summary(out))
		}
	}
}
