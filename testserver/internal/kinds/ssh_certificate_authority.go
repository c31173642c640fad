package kinds

import (
	"crypto/elliptic"
	"crypto/x509"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
	"golang.org/x/crypto/ssh"
)

// sshCertificateAuthority signs SSH host certificates. It is a parent, so the
// API documentation does not describe it.
type sshCertificateAuthority struct {
	common
	PublicKey  string `json:"public_key"`
	KeyType    string `json:"key_type"`
	PrivateKey []byte `json:"private_key"` // PKCS#8; never part of a response; empty for an authority of another account
}

const sshCertificateAuthorityTable store.TableOf[*sshCertificateAuthority] = "ssh_certificate_authorities"

func sshCertificateAuthorities(s *Service) engine.Collection[*sshCertificateAuthority] {
	return engine.Collection[*sshCertificateAuthority]{
		Path:   "/ssh_certificate_authorities",
		Prefix: "sshca_",
		Field:  "ssh_certificate_authorities",
		Noun:   "SSH certificate authority",
		Table:  sshCertificateAuthorityTable.In(s.store),
		Create: newSSHCertificateAuthority,
		Update: updated[sshCertificateAuthority],
		View: func(_ *engine.Call, uri string, authority *sshCertificateAuthority) any {
			return struct {
				URI string `json:"uri"`
				common
				PublicKey string `json:"public_key"`
				KeyType   string `json:"key_type"`
			}{uri, authority.common, authority.PublicKey, authority.KeyType}
		},
	}
}

func newSSHCertificateAuthority(c *engine.Call, in *body.Object) (*sshCertificateAuthority, error) {
	authority := &sshCertificateAuthority{common: newCommon(c, in)}
	if in.IsAnswer() {
		var key ssh.PublicKey
		if authority.PublicKey, key = keys.ReadSSHPublicKey(in, "public_key", keys.SSHKeyTypes); key != nil {
			authority.KeyType = keys.SSHKeyTypes[key.Type()]
		}
		return authority, nil
	}
	curve, bits := authority.readKeyType(in)
	if err := in.End(); err != nil {
		return nil, err
	}
	key, err := keys.New(authority.KeyType, curve, bits)
	if err != nil {
		return nil, err
	}
	public, err := ssh.NewPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	authority.PublicKey = strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public)))
	authority.PrivateKey, err = x509.MarshalPKCS8PrivateKey(key)
	return authority, err
}

var ellipticCurves = map[string]elliptic.Curve{"p256": elliptic.P256(), "p384": elliptic.P384(), "p521": elliptic.P521()}

// readKeyType reads the type, curve and size of the key to create.
func (a *sshCertificateAuthority) readKeyType(in *body.Object) (curve elliptic.Curve, bits int) {
	a.KeyType = orExisting(in.Text("private_key_type"), "ed25519")
	curveName, size := in.Text("elliptic_curve"), in.Number("key_size")
	curve, bits = ellipticCurves[orExisting(curveName, "p256")], orExisting(size, keys.MinRSABits)
	switch {
	case !slices.Contains([]string{"rsa", "ecdsa", "ed25519"}, a.KeyType):
		in.Refuse("private_key_type", "private_key_type must be rsa, ecdsa or ed25519")
	case curve == nil:
		in.Refuse("elliptic_curve", "elliptic_curve must be p256, p384 or p521")
	case bits != keys.MinRSABits && bits != 2*keys.MinRSABits:
		in.Refuse("key_size", "key_size must be 2048 or 4096")
	case curveName != nil && a.KeyType != "ecdsa":
		in.Refuse("elliptic_curve", "elliptic_curve can only be set for ecdsa keys")
	case size != nil && a.KeyType != "rsa":
		in.Refuse("key_size", "key_size can only be set for rsa keys")
	}
	return curve, bits
}

// signer returns a signer for the authority's key. An authority of another account has no
// private key here, so a new key stands in for it.
func (a *sshCertificateAuthority) signer() (ssh.Signer, error) {
	if len(a.PrivateKey) == 0 {
		return keys.NewSSH()
	}
	key, err := x509.ParsePKCS8PrivateKey(a.PrivateKey)
	if err != nil {
		return nil, err
	}
	return ssh.NewSignerFromKey(key)
}
