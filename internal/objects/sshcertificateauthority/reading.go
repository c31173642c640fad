package sshcertificateauthority

import (
	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.SSHCertificateAuthority]{
	Description: "Reads an SSH certificate authority. It signs SSH host certificates.",
	Filters:     crud.ObjectFilters[api.SSHCertificateAuthority](),
	Name:        name,
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
