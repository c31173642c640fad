package acctest

import (
	"encoding/json"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// Upload uploads a certificate out of band and returns its id.
func (w *Env) Upload(t testing.TB, chain *testcert.Chain, description string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t), "description": description})
	if err != nil {
		t.Fatal(err)
	}
	return w.Create("/tls_certificates", string(body))
}
