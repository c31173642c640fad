package api

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"testing"

	"golang.org/x/crypto/ssh"
)

func TestSSHCertificateAuthority_sameKey(t *testing.T) {
	t.Parallel()
	line := func(key any, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		public, err := ssh.NewPublicKey(key)
		if err != nil {
			t.Fatal(err)
		}
		return string(ssh.MarshalAuthorizedKey(public))
	}
	curve := func(c elliptic.Curve) string {
		key, err := ecdsa.GenerateKey(c, rand.Reader)
		return line(key.Public(), err)
	}
	bits := func(n int) string {
		key, err := rsa.GenerateKey(rand.Reader, n)
		return line(key.Public(), err)
	}
	public, _, err := ed25519.GenerateKey(rand.Reader)
	keys := map[string][2]string{ // type and public key
		"ed25519": {"ed25519", line(public, err)}, "p256": {"ecdsa", curve(elliptic.P256())}, "p521": {"ecdsa", curve(elliptic.P521())},
		"2048": {"rsa", bits(2048)}, "4096": {"rsa", bits(4096)},
	}
	for want, sent := range map[string]SSHCertificateAuthorityCreate{
		"ed25519": {}, "p256": {PrivateKeyType: "ecdsa"}, "p521": {PrivateKeyType: "ecdsa", EllipticCurve: "p521"},
		"2048": {PrivateKeyType: "rsa"}, "4096": {PrivateKeyType: "rsa", KeySize: 4096},
	} {
		for name, key := range keys {
			o := &SSHCertificateAuthority{KeyType: key[0], PublicKey: key[1]}
			if got := sshCertificateAuthorities.same(&sent, o); got != (name == want) {
				t.Errorf("asked for %s, found %s: same is %t", want, name, got)
			}
		}
	}
}
