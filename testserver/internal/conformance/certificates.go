package conformance

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// newCertificate returns a certificate and its private key.
func newCertificate() (certificate, key string) {
	content, private, err := keys.SelfSigned(&x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: "conformance"}, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0), DNSNames: []string{"*.conformance.example.com"},
	})
	must(err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	must(err)
	return block("CERTIFICATE", content), block("PRIVATE KEY", secret)
}

func block(kind string, content []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}))
}

// must panics if cryptography fails, which it never does with these arguments.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("conformance: create a certificate: %v", err))
	}
}
