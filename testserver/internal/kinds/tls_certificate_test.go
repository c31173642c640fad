package kinds

import (
	"crypto/x509"
	"math/big"
	"slices"
	"testing"
)

func TestTLSCertificate_keyUsagesInSnakeCase(t *testing.T) {
	t.Parallel()
	want := []string{"digital_signature", "content_commitment", "key_encipherment",
		"data_encipherment", "key_agreement", "cert_sign", "crl_sign", "encipher_only", "decipher_only"}
	if got := keyUsages(1<<9 - 1); !slices.Equal(got, want) {
		t.Errorf("all usages are %q, want %q", got, want)
	}
	for number, want := range map[int64]string{0x80: "80", 0: "00"} {
		if got := serialNumber(&x509.Certificate{SerialNumber: big.NewInt(number)}); got != want {
			t.Errorf("serial number %d is %q, want %q", number, got, want)
		}
	}
}
