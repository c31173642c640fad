package pki

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"math/big"
	"strings"
	"testing"

	"filippo.io/age"
	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func TestEncrypt_roundTrip(t *testing.T) {
	t.Parallel()
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	hybrid, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	public, private := testcert.SSHKeyPair("me@here")
	rsaPublic, rsaPrivate := rsaPair(t, 2048)
	others := map[string]string{}
	for name, pair := range map[string][2]string{
		"age": {" " + key.Recipient().String() + "\r\n", "# created: today\r\n# public key\r\n" + key.String() + "\r\n"}, "hybrid": {hybrid.Recipient().String(), hybrid.String()},
		"ed25519": {public + "\n", "\n" + strings.TrimSpace(private)}, "byte order mark": {"\ufeff" + public, "\ufeff" + private},
		"age with a byte order mark": {key.Recipient().String(), "\ufeff" + key.String()}, "rsa": {rsaPublic, rsaPrivate},
	} {
		encrypted, err := Encrypt("the token", pair[0])
		if err != nil || strings.Contains(encrypted, "the token") {
			t.Fatalf("%s: %v: %s", name, err, encrypted)
		}
		others[name] = encrypted
		keys, err := ParseIdentity(pair[1])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text, err := Decrypt("\ufeff\n"+strings.ReplaceAll(encrypted, "\n", "\r\n"), keys); text != "the token" || err != nil {
			t.Errorf("%s: decrypted is %q: %v", name, text, err)
		}
		for _, damaged := range []string{"", "the token", encrypted[:len(encrypted)/2], strings.Replace(encrypted, "\n", "\nAAAA", 1)} {
			if text, err := Decrypt(damaged, keys); err == nil {
				t.Errorf("%s: %q is decrypted to %q", name, damaged, text)
			}
		}
	}
	keys, _ := ParseIdentity(private)
	if _, err := Decrypt(others["rsa"], keys); err == nil || !strings.Contains(err.Error(), "another recipient") {
		t.Errorf("with another key: %v", err)
	}
}

func rsaPair(t *testing.T, bits int) (public, private string) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	line, err := ssh.NewPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(ssh.MarshalAuthorizedKey(line)), string(pem.EncodeToMemory(block))
}

func TestRecipient_invalid(t *testing.T) {
	t.Parallel()
	ecdsa, _ := testcert.SSHKeygen(t, "ecdsa", "256")
	public, private := testcert.SSHKeyPair("")
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"": "must be an age recipient", "alice@example.com": "must be an age recipient", ecdsa: "found ecdsa-sha2-nistp256",
		key.String(): "Use the output of age-keygen -y", private: "found a private key", public + "\n" + public: "found more than one line",
		key.Recipient().String() + "\n" + key.Recipient().String(): "damaged", "age1yubikey1qqqq": "needs a plugin", public[:40]: "incomplete or damaged",
	} {
		err := recipient{}.Check(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		} else if len(text) > 30 && strings.Contains(err.Error(), text[len(text)-20:]) {
			t.Errorf("%q is repeated: %v", text, err)
		}
	}
	if !(recipient{}).Same(public, " "+public+" a comment\n") || (recipient{}).Same(public, key.Recipient().String()) {
		t.Error("a comment makes a difference, or the key does not")
	}
}

// TestRecipient_cannotEncrypt tries keys that have the form of a recipient, and for which
// nothing can be encrypted.
func TestRecipient_cannotEncrypt(t *testing.T) {
	t.Parallel()
	even, err := ssh.NewPublicKey(&rsa.PublicKey{N: new(big.Int).Lsh(big.NewInt(1), 2047), E: 65537})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"age, zero bytes":      "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z",
		"age, the point 1":     "age1qyqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqj7vrya",
		"age, another point":   "age1ur4h5lpmgxu2u9jku0a0r87ydtdqnr0tnsetrlvxvgz3vh6fhqqqzyt4v9",
		"ed25519, zero bytes":  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"ed25519, a low order": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMcXanA9TdhPujwLdg0QZw8qIFP6LDnMxk7H/XeSrAN6",
		"ed25519, not a point": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIODrenw7QbiuFlbj+vGfxGraCY3rnDKx/YZiBRZfSbgA",
		"RSA, an even modulus": string(ssh.MarshalAuthorizedKey(even)),
	} {
		err := recipient{}.Check(text)
		if err == nil || !strings.Contains(err.Error(), "found a key for which nothing can be encrypted") || strings.Contains(err.Error(), text[12:]) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseIdentity_invalid(t *testing.T) {
	t.Parallel()
	public, private := testcert.SSHKeyPair("")
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.ParseRawPrivateKey([]byte(private))
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKeyWithPassphrase(signer, "", []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	_, ecdsa := testcert.SSHKeygen(t, "ecdsa", "256")
	for text, want := range map[string]string{
		"": "must be an age identity", string(pem.EncodeToMemory(block)): "must not need a passphrase", public: "found a public key",
		key.Recipient().String(): "found a public key", "~/.ssh/id_ed25519": "found a file path", ecdsa: "of another type",
		key.String()[:40]: "must be an age identity", private[:len(private)/2]: "is damaged",
	} {
		_, err := ParseIdentity(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		} else if len(text) > 30 && strings.Contains(err.Error(), text[len(text)-20:]) {
			t.Errorf("%q is repeated: %v", text, err)
		}
	}
}
