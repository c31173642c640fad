package testserver

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"
)

func upload(chain, key string) string {
	return asJSON(map[string]string{"certificate_pem": chain, "private_key_pem": key})
}

func TestTLSCertificate_uploads(t *testing.T) {
	t.Parallel()
	s := Start(t)
	block := func(kind string, der []byte, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	root := issue(t, nil, newKey(t, "p256"), authority("Root"))
	middle := issue(t, root, newKey(t, "p256"), authority("Middle"))
	leaf := issue(t, middle, newKey(t, "p384"), nil)
	impostor := issue(t, nil, newKey(t, "p256"), authority("Middle"))
	ed := issue(t, nil, newKey(t, "ed25519"), nil)
	rsaLeaf := issue(t, nil, newKey(t, "rsa"), nil)
	short := issue(t, nil, newKey(t, "rsa1024"), nil)
	expired := issue(t, nil, newKey(t, "ed25519"), func(template *x509.Certificate) {
		template.NotBefore, template.NotAfter = time.Unix(0, 0), time.Unix(1000, 0)
		template.SerialNumber = new(big.Int).Lsh(big.NewInt(0x80), 8)
	})
	leafKey, rsaKey := pkcs8(t, leaf.key), rsaLeaf.key.(*rsa.PrivateKey)
	pkcs1 := block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(rsaKey), nil)
	sec1DER, err := x509.MarshalECPrivateKey(leaf.key.(*ecdsa.PrivateKey))
	sec1 := block("EC PRIVATE KEY", sec1DER, err)
	x25519, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	x25519DER, err := x509.MarshalPKCS8PrivateKey(x25519)
	parameters := block("EC PARAMETERS", []byte{6, 5, 0x2b, 0x81, 4, 0, 0x22}, nil)
	withHeader := strings.Replace(pkcs1, "KEY-----\n", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n", 1)
	chain := leaf.pem + middle.pem + root.pem

	for name, test := range map[string]struct {
		chain, key string
		field      string // empty means accepted
	}{
		"whole chain":           {chain, leafKey, ""},
		"untidy":                {"the leaf\n" + leaf.pem + "and its issuer\n" + strings.ReplaceAll(middle.pem, "\n", "\r\n") + "\n\n", leafKey, ""},
		"SEC 1":                 {leaf.pem, sec1, ""},
		"SEC 1 with parameters": {leaf.pem, parameters + sec1, ""},
		"PKCS#1":                {rsaLeaf.pem, pkcs1, ""},
		"ed25519":               {ed.pem, pkcs8(t, ed.key), ""},
		"expired":               {expired.pem, pkcs8(t, expired.key), ""},
		"no PEM":                {"hello", leafKey, "certificate_pem"},
		"broken block":          {strings.Replace(leaf.pem, "M", "*", 1), leafKey, "certificate_pem"},
		"cut off":               {leaf.pem[:len(leaf.pem)/2], leafKey, "certificate_pem"},
		"a CSR":                 {block("CERTIFICATE REQUEST", leaf.cert.Raw, nil), leafKey, "certificate_pem"},
		"key in the chain":      {leaf.pem + leafKey, leafKey, "certificate_pem"},
		"root first":            {root.pem + middle.pem + leaf.pem, leafKey, "certificate_pem"},
		"same name, other key":  {leaf.pem + impostor.pem, leafKey, "certificate_pem"},
		"leaf twice":            {leaf.pem + leaf.pem, leafKey, "certificate_pem"},
		"65 KiB":                {leaf.pem + strings.Repeat("x", 65<<10), leafKey, "certificate_pem"},
		"other key":             {leaf.pem, pkcs8(t, newKey(t, "p384")), "private_key_pem"},
		"key of the second":     {chain, pkcs8(t, middle.key), "private_key_pem"},
		"no key":                {leaf.pem, "secret-hello", "private_key_pem"},
		"key that cannot sign":  {leaf.pem, block("PRIVATE KEY", x25519DER, err), "private_key_pem"},
		"encrypted":             {leaf.pem, block("ENCRYPTED PRIVATE KEY", []byte("secret"), nil), "private_key_pem"},
		"encrypted, older form": {rsaLeaf.pem, withHeader, "private_key_pem"},
		"rsa of 1024 bits":      {short.pem, pkcs8(t, short.key), "private_key_pem"},
		"OpenSSH key":           {ed.pem, block("OPENSSH PRIVATE KEY", []byte("secret"), nil), "private_key_pem"},
	} {
		t.Run(name, func(t *testing.T) {
			got := send(t, s, "POST", "/tls_certificates", upload(test.chain, test.key))
			if test.field == "" && got.status != 201 {
				t.Errorf("refused: %s", got.raw)
			}
			if test.field != "" && (got.status != 400 || got.field() != test.field) {
				t.Errorf("status %d blames %q, want 400 and %q: %s", got.status, got.field(), test.field, got.raw)
			}
			for line := range strings.SplitSeq(test.key, "\n") {
				if len(line) > 10 && !strings.HasPrefix(line, "--") && !strings.Contains(test.chain, line) && strings.Contains(got.raw, line) {
					t.Errorf("the private key is in the answer: %s", got.raw)
				}
			}
		})
	}
	for _, field := range []string{"certificate_pem", "private_key_pem"} {
		body := map[string]any{"certificate_pem": leaf.pem, "private_key_pem": leafKey, field: nil}
		equal(t, "blamed field", want(t, s, 400, "POST", "/tls_certificates", asJSON(body)).field(), field)
	}
}

// Go does not verify SHA-1, so only the names tell whether the order is right.
func TestTLSCertificate_issuerWithSHA1(t *testing.T) {
	t.Parallel()
	s := Start(t)
	root := issue(t, nil, newKey(t, "rsa"), authority("Old CA"))
	leaf := issue(t, root, newKey(t, "ecdsa"), func(c *x509.Certificate) { c.SignatureAlgorithm = x509.SHA1WithRSA })
	other := issue(t, nil, newKey(t, "rsa"), authority("Another CA"))
	for issuer, status := range map[*issued]int{root: 201, other: 400} {
		want(t, s, status, "POST", "/tls_certificates", asJSON(map[string]any{"certificate_pem": leaf.pem + issuer.pem, "private_key_pem": pkcs8(t, leaf.key)}))
	}
}

func TestTLSCertificate_showsTheLeaf(t *testing.T) {
	t.Parallel()
	s := Start(t)
	root := issue(t, nil, newKey(t, "p256"), authority("Root"))
	leaf := issue(t, root, newKey(t, "p256"), func(template *x509.Certificate) {
		template.Subject.Organization, template.DNSNames = []string{"Tests & Co"}, []string{"*.example.com"}
		template.IPAddresses = []net.IP{net.IPv4(192, 0, 2, 7)}
		template.KeyUsage, template.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	})
	got := want(t, s, 201, "POST", "/tls_certificates", upload(leaf.pem+root.pem, pkcs8(t, leaf.key)))
	for member, value := range map[string]any{
		"certificate_pem": leaf.pem + root.pem, "subject_common_name": "test", "subject_organization": "Tests & Co", "subject_locality": "",
		"issuer_common_name": "Root", "private_key_type": "ecdsa", "not_before": "2026-01-01T00:00:00Z", "not_after": "2027-01-01T00:00:00Z",
		"issued_at": nil, "serial_number": "0a1b", "key_usages": []string{"digital_signature"}, "extended_key_usages": []string{"server_auth"},
		"subject_alternative_names": map[string]any{"dns_names": []string{"*.example.com"}, "ips": []string{"192.0.2.7"}},
	} {
		equal(t, member, got.body[member], value)
	}
}
