package pki_test

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// sameChain compares two chains as in a configuration: Of would give those of the
// service the same notation before.
func sameChain(a, b string) bool {
	return pki.Chain{StringValue: types.StringValue(a)}.Same(pki.Chain{StringValue: types.StringValue(b)})
}

func TestChain_sameByCertificates(t *testing.T) {
	t.Parallel()
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	other := testcert.ChainOf{Intermediates: 1}.New(t)
	text := chain.PEM()
	for name, test := range map[string]struct {
		other string
		same  bool
	}{
		"itself":                 {text, true},
		"CRLF":                   {strings.ReplaceAll(text, "\n", "\r\n"), true},
		"text before the blocks": {"subject=CN = www.example.com\n" + chain.Blocks[0] + "issuer\n" + chain.PEM(2, 3), true},
		"another line width":     {testcert.Reformatted(text), true},
		"a byte order mark":      {"\ufeff" + text, true},
		"indentation":            {"    " + strings.ReplaceAll(text, "\n", "\n    "), true},
		"old line ends":          {strings.ReplaceAll(text, "\n", "\r"), true},
		"headers":                {strings.ReplaceAll(text, "BEGIN CERTIFICATE-----\n", "BEGIN CERTIFICATE-----\nName: value\n\n"), true},
		"old labels":             {strings.ReplaceAll(text, "CERTIFICATE-----", "X509 CERTIFICATE-----"), true},
		"another order":          {chain.PEM(2, 1, 3), false},
		"no root":                {chain.PEM(1, 2), true},
		"no intermediate":        {chain.PEM(1, 3), false},
		"one certificate more":   {chain.PEM(1, 2, 2, 3), false},
		"other certificates":     {other.PEM(), false},
		"one damaged block":      {strings.Replace(text, "\nMI", "\n!I", 1), false},
		"a key beside it":        {text + chain.PKCS8(t), false},
		"nothing":                {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := sameChain(text, test.other); got != test.same {
				t.Errorf("same: %v, want %v", got, test.same)
			}
			if got := sameChain(test.other, text); got != test.same {
				t.Errorf("the other way round, same: %v, want %v", got, test.same)
			}
		})
	}
}

// A certificate of a new key that the old key of the same authority signed has
// the name of a root. Clients need it to reach the old root.
func TestChain_keyRolloverIsNoRoot(t *testing.T) {
	t.Parallel()
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Example Root CA"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	leaf := testcert.ChainOf{}.New(t).PEM()
	own := testcert.Key(t, "")
	for name, test := range map[string]struct {
		signer crypto.Signer
		same   bool
	}{
		"signed by its own key": {own, true},
		"signed by the old key": {testcert.Key(t, ""), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			der, err := x509.CreateCertificate(rand.Reader, authority, authority, own.Public(), test.signer)
			if err != nil {
				t.Fatal(err)
			}
			whole := leaf + string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
			if got := sameChain(leaf, whole); got != test.same {
				t.Errorf("same: %v, want %v", got, test.same)
			}
		})
	}
}

func TestChain_refused(t *testing.T) {
	t.Parallel()
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	key := chain.PKCS8(t)
	for name, test := range map[string]struct{ text, want string }{
		"nothing":                 {"", "; found an empty string"},
		"no PEM":                  {"certificate", "found no PEM block"},
		"text before BEGIN":       {chain.Blocks[0] + "ca: " + chain.Blocks[1], fmt.Sprintf("PEM block 2 begins in the middle of line %d, after other text", strings.Count(chain.Blocks[0], "\n")+1)},
		"no line end between":     {strings.TrimSpace(chain.Blocks[0]) + chain.Blocks[1], fmt.Sprintf("line %d contains the end of block 1 and the beginning of block 2", strings.Count(chain.Blocks[0], "\n"))},
		"on one line":             {strings.ReplaceAll(chain.Blocks[0], "\n", " "), "block 1 is on one line (line 1)"},
		"base64 of PEM":           {base64.StdEncoding.EncodeToString([]byte(chain.PEM())), "Decode it with base64decode()"},
		"base64 of DER":           {base64.StdEncoding.EncodeToString(chain.Leaf.Raw), "found base64-encoded DER"},
		"DER":                     {string(chain.Leaf.Raw), "Convert the file with: openssl x509 -inform DER -in FILE -out PEMFILE"},
		"DER that ends in blanks": {"0\x04\x0c\x02a ", "Convert the file with"},
		"a path":                  {"/etc/ssl/www.pem", "Read the file with file()"},
		"text like DER":           {"0!" + strings.Repeat("a", 34), "found no PEM block"},
		"no certificate inside":   {"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "block 1 cannot be parsed"},
		"a damaged second block":  {chain.Blocks[0] + strings.Replace(chain.Blocks[1], "\nMI", "\n!I", 1), "block 2, which begins on line 11, is invalid"},
		"a block cut off":         {chain.Blocks[0][:200], "block 1, which begins on line 1, is invalid"},
		"line ends as characters": {strings.ReplaceAll(chain.Blocks[0], "\n", `\n`), `found the two characters \n instead`},
		"a private key":           {chain.PEM() + key, "found a private key"},
		"a certificate request":   {"-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n", "found a certificate signing request (CSR)"},
		"trust settings":          {"-----BEGIN TRUSTED CERTIFICATE-----\nAAAA\n-----END TRUSTED CERTIFICATE-----\n", "(block 1). Convert each of these blocks with: openssl x509 -in FILE -out PEMFILE"},
		"a public key":            {chain.Blocks[0] + "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", `found a PEM block of type "PUBLIC KEY" (block 2)`},
		"PKCS #7":                 {"-----BEGIN PKCS7-----\nAAAA\n-----END PKCS7-----\n", "Convert the file with: openssl pkcs7 -print_certs -in FILE -out PEMFILE"},
		"an unsupported curve":    {otherCurve(chain.Leaf.Raw), "certificates with a supported key (RSA with at least 2048 bits, ECDSA or Ed25519); block 1 has a key with an unsupported elliptic curve. Use P-256, P-384 or P-521"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := pki.ParseChain(test.text)
			expectError(t, err, test.want)
			expectNoSecret(t, err, key)
			if !strings.Contains(test.want, "block") && pki.CanonicalChain(test.text) != test.text {
				t.Error("what is no chain does not stay as it is")
			}
		})
	}
}

// otherCurve returns a certificate with the identifier of the curve prime192v1
// instead of that of P-256.
func otherCurve(der []byte) string {
	changed := bytes.ReplaceAll(der, []byte("\x2a\x86\x48\xce\x3d\x03\x01\x07"), []byte("\x2a\x86\x48\xce\x3d\x03\x01\x01"))
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: changed}))
}

func TestChain_order(t *testing.T) {
	t.Parallel()
	one := testcert.ChainOf{Intermediates: 1}.New(t)
	two := testcert.ChainOf{Intermediates: 2}.New(t)
	self := testcert.ChainOf{}.New(t)
	longest := testcert.ChainOf{Intermediates: 18}.New(t)
	for name, test := range map[string]struct{ text, want string }{
		"a leaf":                     {self.PEM(), ""},
		"leaf, intermediate, root":   {one.PEM(), ""},
		"intermediate first":         {one.PEM(2, 1), `the leaf certificate must come first. Reorder the blocks: block 2 ("www.example.com"), block 1 ("Example CA 1")`},
		"root first":                 {two.PEM(4, 3, 2, 1), `the leaf certificate must come first. Reorder the blocks: block 4`},
		"intermediates exchanged":    {two.PEM(1, 3, 2), `the issuer of block 1 ("www.example.com") must come after it. Reorder the blocks: block 1 ("www.example.com"), block 3 ("Example CA 1"), block 2 ("Example CA 2")`},
		"a missing intermediate":     {one.PEM(1, 3), `block 1 ("www.example.com"), which was issued by "Example CA 1", followed by block 2 ("Example Root CA"). Insert the certificate of the issuer after block 1,`},
		"a certificate of elsewhere": {one.PEM() + self.PEM(), `block 3 ("Example Root CA"), which was issued by "Example Root CA", followed by block 4 ("www.example.com")`},
		"the most that are ordered":  {longest.PEM(2, 1) + strings.Join(longest.Blocks[2:], ""), "the leaf certificate must come first. Reorder the blocks: block 2"},
		"the leaf twice":             {one.PEM(1, 1, 2), `contains a certificate twice: block 2 ("www.example.com") is the same as block 1. Remove block 2`},
		"the root twice":             {one.PEM(1, 2, 3, 3), ""},
		"the same names, other keys": {one.PEM(1) + two.PEM(2), `block 1 ("www.example.com"), which was issued by "Example CA 1"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chain, err := pki.ParseChain(test.text)
			if err != nil {
				t.Fatal(err)
			}
			expectError(t, pki.CheckOrder(chain), test.want)
		})
	}
}

// expectError expects an error that contains want, or no error if want is
// empty.
func expectError(t *testing.T, err error, want string) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("found the error %v, want %q", err, want)
	}
}

// expectNoSecret expects that an error repeats no line of a secret text.
func expectNoSecret(t *testing.T, err error, secret string) {
	t.Helper()
	for line := range strings.Lines(secret) {
		if line = strings.TrimSpace(line); err != nil && len(line) > 8 && !strings.HasPrefix(line, "-----") && strings.Contains(err.Error(), line) {
			t.Errorf("the error repeats what was read: %v", err)
		}
	}
}

func FuzzChain_parse(f *testing.F) {
	chain := testcert.ChainOf{Intermediates: 1}.New(f)
	for _, seed := range []string{"", chain.PEM(), chain.PEM(2, 1), testcert.Reformatted(chain.PEM()), chain.PKCS8(f), "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		chain, err := pki.ParseChain(text)
		if err != nil {
			return
		}
		if !sameChain(text, text+"\n") {
			t.Error("a line end makes another chain")
		}
		if !sameChain(text, encoded(chain)) {
			t.Error("the blocks alone are another chain")
		}
		if order := pki.CheckOrder(chain); order != nil && order.Error() == "" {
			t.Error("an error says nothing")
		}
		pki.CertificateName(chain[0])
	})
}

func encoded(chain []*x509.Certificate) string {
	var text strings.Builder
	for _, certificate := range chain {
		text.Write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw}))
	}
	return text.String()
}
