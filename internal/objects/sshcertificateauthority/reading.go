package sshcertificateauthority

import (
	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[model, api.SSHCertificateAuthority]{
	Description: "Reads an SSH certificate authority. It signs SSH host certificates.",
	Descriptions: map[string]string{
		"private_key_type": "Type of the private key: `ed25519`, `ecdsa` or `rsa`.",
		"elliptic_curve":   "Elliptic curve of an `ecdsa` key: `p256`, `p384` or `p521`. Null for other types.",
		"key_size":         "Size of an `rsa` key in bits. Null for other types.",
	},
	Filters: crud.ObjectFilters[api.SSHCertificateAuthority](),
	Name:    name,
}

// name returns a display name such as "SHA256:...: Bastions", with the
// fingerprint of the key.
func name(o *api.SSHCertificateAuthority) string {
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(o.PublicKey))
	if err != nil {
		return crud.DisplayName(o.ID, o.Description)
	}
	return crud.DisplayName(ssh.FingerprintSHA256(key), o.Description)
}
