package conformance

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// newCertificate returns a certificate and its private key. It panics if cryptography
// fails, which it never does with these arguments.
func newCertificate() (certificate, key string) {
	content, private, err := keys.SelfSigned(&x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0), DNSNames: []string{"*.conformance.example.com"},
	})
	secret, invalid := x509.MarshalPKCS8PrivateKey(private)
	if err != nil || invalid != nil {
		panic(fmt.Sprintf("conformance: create a certificate: %v, %v", err, invalid))
	}
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: content})
	return string(chain), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}
