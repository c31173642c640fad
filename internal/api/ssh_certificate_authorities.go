package api

// SSHCertificateAuthority signs SSH host certificates. The service keeps its
// private key.
type SSHCertificateAuthority struct {
	Object
	PublicKey string `json:"public_key"` // OpenSSH authorized-keys format, without a comment
	KeyType   Info   `json:"key_type"`   // rsa, ecdsa or ed25519
}

// SSHCertificateAuthorityCreate is the body that creates an SSH certificate
// authority. The service sets empty fields to its defaults.
type SSHCertificateAuthorityCreate struct {
	Details
	PrivateKeyType string `json:"private_key_type,omitempty"` // rsa, ecdsa or ed25519
	EllipticCurve  string `json:"elliptic_curve,omitempty"`   // p256, p384 or p521; ecdsa only
	KeySize        int64  `json:"key_size,omitempty"`         // bits, 2048 or 4096; rsa only
}

// SSHCertificateAuthorities are the SSH certificate authorities of the account.
var SSHCertificateAuthorities = identified[SSHCertificateAuthority](
	Kind{Noun: "SSH certificate authority", Prefix: "sshca_", Path: "/ssh_certificate_authorities", ListField: "ssh_certificate_authorities"},
)
