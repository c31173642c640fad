package acctest

import (
	"encoding/json"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// CreateTLSCertificate uploads a certificate out of band and returns its id.
func (w *Env) CreateTLSCertificate(t testing.TB) string {
	t.Helper()
	chain := testcert.ChainOf{}.New(t)
	body, err := json.Marshal(map[string]string{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t)})
	if err != nil {
		t.Fatal(err)
	}
	return w.Create("/tls_certificates", string(body))
}
