package api

import (
	"cmp"
	"crypto/rsa"
	"strings"

	"golang.org/x/crypto/ssh"
)

// SSHCertificateAuthority signs SSH host certificates. The service keeps its
// private key.
type SSHCertificateAuthority struct {
	Object
	PublicKey string `json:"public_key"` // OpenSSH authorized-keys format, without a comment
	KeyType   string `json:"key_type"`   // rsa, ecdsa or ed25519
}

// SSHCertificateAuthorityCreate is the body that creates an SSH certificate
// authority. The service sets empty fields to its defaults.
type SSHCertificateAuthorityCreate struct {
	Details
	PrivateKeyType string `json:"private_key_type,omitempty"` // rsa, ecdsa or ed25519
	EllipticCurve  string `json:"elliptic_curve,omitempty"`   // p256, p384 or p521; ecdsa only
	KeySize        int64  `json:"key_size,omitempty"`         // bits, 2048 or 4096; rsa only
}

// SSHCertificateAuthorities is the collection at /ssh_certificate_authorities.
type SSHCertificateAuthorities = Collection[SSHCertificateAuthority, SSHCertificateAuthorityCreate, DetailsUpdate]

var sshCertificateAuthorities = describe(kind[SSHCertificateAuthority, SSHCertificateAuthorityCreate]{
	noun: "SSH certificate authority", path: "/ssh_certificate_authorities", list: "ssh_certificate_authorities",
	id:      func(o *SSHCertificateAuthority) string { return o.ID },
	created: func(o *SSHCertificateAuthority) string { return o.CreatedAt },
	same: func(sent *SSHCertificateAuthorityCreate, o *SSHCertificateAuthority) bool {
		return sent.same(&o.Object) && sent.sameKey(o)
	},
})

// sameKey reports whether an authority has a key of the requested type. The
// service does not return the curve and the size, so they are read from the
// public key.
func (s *SSHCertificateAuthorityCreate) sameKey(o *SSHCertificateAuthority) bool {
	if cmp.Or(s.PrivateKeyType, "ed25519") != o.KeyType {
		return false
	}
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(o.PublicKey))
	if err != nil {
		return true
	}
	switch o.KeyType {
	case "ecdsa": // ecdsa-sha2-nistp256
		return strings.HasSuffix(key.Type(), cmp.Or(s.EllipticCurve, "p256"))
	case "rsa":
		public, ok := key.(ssh.CryptoPublicKey)
		if !ok {
			return true
		}
		parameters, ok := public.CryptoPublicKey().(*rsa.PublicKey)
		return !ok || int64(parameters.N.BitLen()) == cmp.Or(s.KeySize, 2048)
	}
	return true
}

// SSHCertificateAuthorities returns the account's SSH certificate authorities.
func (c *Client) SSHCertificateAuthorities() *SSHCertificateAuthorities {
	return collection[SSHCertificateAuthority, SSHCertificateAuthorityCreate, DetailsUpdate](c, sshCertificateAuthorities)
}
