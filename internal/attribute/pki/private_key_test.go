package pki_test

import (
	"crypto/rand"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"golang.org/x/crypto/ssh"
)

var keyKinds = map[string]string{"rsa2048": "rsa", "p256": "ecdsa", "p384": "ecdsa", "ed25519": "ed25519"}

func samePrivateKey(a, b string) bool {
	return pki.PrivateKeyType{}.Of(a).Same(pki.PrivateKeyType{}.Of(b))
}

func TestPrivateKey_sameInEveryEncoding(t *testing.T) {
	t.Parallel()
	for kind, name := range keyKinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			key, other := testcert.Key(t, kind), testcert.Key(t, "p256")
			open, err := ssh.MarshalPrivateKey(key, "")
			if err != nil {
				t.Fatal(err)
			}
			modern, traditional := testcert.PKCS8(t, key), testcert.Traditional(t, key)
			for what, text := range map[string]string{
				"PKCS#8": modern, "of its own kind": traditional, "OpenSSH": string(pem.EncodeToMemory(open)),
				"headers": strings.Replace(modern, "-----\n", "-----\nName: value\n\n", 1), "CRLF": strings.ReplaceAll(traditional, "\n", "\r\n"),
				"other lines": testcert.Reformatted(modern), "with parameters": ecParameters + traditional,
			} {
				if !samePrivateKey(modern, text) || !samePrivateKey(text, modern) {
					t.Errorf("%s: not the same as PKCS#8", what)
				}
				for _, another := range []string{testcert.PKCS8(t, other), "", text + text} {
					if samePrivateKey(text, another) || samePrivateKey(another, text) {
						t.Errorf("%s: the same as %q", what, another)
					}
				}
			}
			parsed, err := pki.ParsePrivateKey(traditional)
			if err != nil {
				t.Fatal(err)
			}
			if got := pki.KeyType(parsed.Public()); got != name {
				t.Errorf("type %s, want %s", got, name)
			}
			if bare := pki.CanonicalPrivateKey("a comment\n" + ecParameters + traditional); bare != traditional {
				t.Error("the bare key is not the key's block alone")
			}
		})
	}
}

// ecParameters is the block that openssl ecparam -genkey writes before a key.
const ecParameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"

func TestPrivateKey_refused(t *testing.T) {
	t.Parallel()
	chain := testcert.ChainOf{}.New(t)
	key := chain.PKCS8(t)
	rename := func(name string) string { return strings.ReplaceAll(key, "PRIVATE KEY", name) }
	encrypted, err := x509.EncryptPEMBlock(rand.Reader, "EC PRIVATE KEY", []byte("secret"), []byte("p"), x509.PEMCipherAES256) //nolint:staticcheck // such keys are still in use
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ text, want string }{
		"nothing":                  {"", "must be one PEM block of type PRIVATE KEY (PKCS#8)"},
		"only parameters":          {ecParameters, "found no private key"},
		"a certificate":            {chain.PEM(), "found a certificate. Set it in the attribute for the certificate"},
		"two keys":                 {key + testcert.PKCS8(t, testcert.Key(t, "")), "more than one private key"},
		"PKCS#8, encrypted":        {rename("ENCRYPTED PRIVATE KEY"), "Decrypt it with: openssl pkey -in"},
		"SEC 1, encrypted":         {string(pem.EncodeToMemory(encrypted)), "Decrypt it with: openssl pkey -in"},
		"damaged OpenSSH's format": {rename("OPENSSH PRIVATE KEY"), "the content of the OPENSSH PRIVATE KEY block"},
		"a public key":             {rename("PUBLIC KEY"), `type "PUBLIC KEY"`},
		"another type than inside": {rename("RSA PRIVATE KEY"), "the content of the RSA PRIVATE KEY block"},
		"a damaged block":          {strings.Replace(key, "\nMI", "\n!I", 1), "block 1, which begins on line 1, is invalid"},
		"line ends as characters":  {strings.ReplaceAll(key, "\n", `\n`), `found the two characters \n instead`},
		"base64 of PEM":            {base64.StdEncoding.EncodeToString([]byte(key)), "found base64-encoded PEM"},
		"a path":                   {"./www.key", "found a file path"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := pki.ParsePrivateKey(test.text)
			expectError(t, err, test.want)
			expectNoSecret(t, err, test.text)
			if pki.CanonicalPrivateKey(test.text) != test.text && !strings.Contains(test.want, "content") {
				t.Error("what is no key does not stay as it is")
			}
		})
	}
}

func TestPrivateKey_unsupportedTypeIsNamed(t *testing.T) {
	t.Parallel()
	type algorithm struct {
		Algorithm  asn1.ObjectIdentifier
		Parameters asn1.ObjectIdentifier `asn1:"optional"`
	}
	pkcs8 := func(of algorithm) string {
		der, err := asn1.Marshal(struct {
			Version   int
			Algorithm algorithm
			Key       []byte
		}{0, of, []byte("secretsecretsecretsecret")})
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	}
	sec1, err := asn1.Marshal(struct {
		Version int
		Key     []byte
		Curve   asn1.ObjectIdentifier `asn1:"explicit,tag:0"`
	}{1, make([]byte, 32), asn1.ObjectIdentifier{1, 3, 132, 0, 10}})
	if err != nil {
		t.Fatal(err)
	}
	ec := asn1.ObjectIdentifier{1, 2, 840, 10045, 2, 1}
	const damaged = "the content of the PRIVATE KEY block cannot be parsed"
	for name, test := range map[string]struct{ text, want string }{
		"Ed448":               {pkcs8(algorithm{Algorithm: asn1.ObjectIdentifier{1, 3, 101, 113}}), "must be a private key of a supported type (RSA with at least 2048 bits, ECDSA or Ed25519); found an Ed448 key"},
		"DSA":                 {pkcs8(algorithm{Algorithm: asn1.ObjectIdentifier{1, 2, 840, 10040, 4, 1}}), "found a DSA key"},
		"brainpool":           {pkcs8(algorithm{ec, asn1.ObjectIdentifier{1, 3, 36, 3, 3, 2, 8, 1, 1, 7}}), "found an ECDSA key with an unsupported elliptic curve. Use P-256, P-384 or P-521"},
		"secp256k1":           {string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: sec1})), "found an ECDSA key with an unsupported elliptic curve"},
		"damaged P-256":       {pkcs8(algorithm{ec, asn1.ObjectIdentifier{1, 2, 840, 10045, 3, 1, 7}}), damaged},
		"unknown algorithm":   {pkcs8(algorithm{Algorithm: asn1.ObjectIdentifier{1, 2, 3, 4}}), damaged},
		"ECDSA, but no curve": {pkcs8(algorithm{Algorithm: ec}), damaged},
	} {
		_, err := pki.ParsePrivateKey(test.text)
		expectError(t, err, test.want)
		expectNoSecret(t, err, test.text)
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

func TestPrivateKey_belongsToLeaf(t *testing.T) {
	t.Parallel()
	other := testcert.Key(t, "p384")
	for kind := range keyKinds {
		key := testcert.Key(t, kind)
		for intermediates := range 3 {
			chain := testcert.ChainOf{Signer: key, Intermediates: intermediates}.New(t)
			parsed, err := pki.ParseChain(chain.PEM())
			if err != nil {
				t.Fatal(err)
			}
			if err := pki.CheckKeyOfLeaf(chain.Signer, parsed); err != nil {
				t.Errorf("%s, %d intermediates: %v", kind, intermediates, err)
			}
			expectError(t, pki.CheckKeyOfLeaf(other, parsed), `does not match the certificate: expected the key of the leaf certificate, block 1 ("www.example.com"), of type `+keyKinds[kind]+"; found a different key of type ecdsa. Set the key of this certificate: openssl")
		}
	}
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	parsed, err := pki.ParseChain(chain.PEM(2, 1))
	if err != nil {
		t.Fatal(err)
	}
	expectError(t, pki.CheckKeyOfLeaf(chain.Signer, parsed), `expected the key of the leaf certificate, block 1 ("Example CA 1"); found the key of block 2 ("www.example.com")`)
	if !pki.HasKey(parsed, chain.Signer) || pki.HasKey(parsed, testcert.Key(t, "")) {
		t.Error("HasKey does not know whose key it is")
	}
}

func FuzzPrivateKey_parse(f *testing.F) {
	key := testcert.Key(f, "p256")
	for _, seed := range []string{"", testcert.PKCS8(f, key), testcert.Traditional(f, key), ecParameters + testcert.Traditional(f, key), testcert.PKCS8(f, testcert.Key(f, "ed25519"))} {
		lines := strings.SplitAfter(seed, "\n")
		half := len(lines) / 2
		f.Add(strings.Join(lines[:half], ""), strings.Join(lines[half:], ""))
	}
	// No error message contains this line by itself, so an error that contains
	// it repeats the input.
	const secret = "U2VjcmV0IGxpbmUgb2YgYSBrZXk="
	f.Fuzz(func(t *testing.T, before, after string) {
		if _, err := pki.ParsePrivateKey(before + "\n" + secret + "\n" + after); err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("the error repeats what was read: %v", err)
		}
		text := before + after
		key, err := pki.ParsePrivateKey(text)
		if err != nil {
			return
		}
		if !samePrivateKey(text, pki.CanonicalPrivateKey(text)) || !samePrivateKey(text, testcert.PKCS8(t, key)) {
			t.Error("the same key is taken for another")
		}
	})
}
