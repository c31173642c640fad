package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"time"
)

// newCertificates returns n certificates in PEM, and their private key.
func newCertificates(n int) (chains []string, private string, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, "", err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, "", err
	}
	chains = make([]string, n)
	for i := range n {
		name := fmt.Sprintf("www%d.example.com", i)
		template := &x509.Certificate{
			SerialNumber: big.NewInt(int64(i) + 1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
			NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(0, 6, 0), KeyUsage: x509.KeyUsageDigitalSignature,
		}
		der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
		if err != nil {
			return nil, "", err
		}
		chains[i] = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	}
	return chains, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})), nil
}

// certificates creates n TLS certificates at the service and returns a
// directory with a configuration and a state that contain them.
func (s *stage) certificates(n int) (string, error) {
	chains, private, err := newCertificates(n)
	if err != nil {
		return "", err
	}
	objects := make([]map[string]any, n)
	for i := range objects {
		body, err := json.Marshal(map[string]string{"certificate_pem": chains[i], "private_key_pem": private})
		if err != nil {
			return "", err
		}
		objects[i] = s.service.Get("/tls_certificates/" + s.service.Create("/tls_certificates", string(body)))
		objects[i]["uri"] = fmt.Sprintf("%s/tls_certificates/%s", s.http.URL, objects[i]["id"])
		for _, name := range []string{"description", "metadata", "private_key_pem", "private_key_pem_wo", "private_key_pem_wo_version"} {
			objects[i][name] = nil
		}
	}
	return s.folder("certificates", chains, providerBlock+`resource "tunnel_tls_certificate" "test" {
  count           = length(local.keys)
  certificate_pem = local.keys[count.index]
}
`, providerAddress, "tunnel_tls_certificate", n, func(i int) map[string]any { return objects[i] })
}
