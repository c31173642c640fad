package sshcredential

import (
	"strings"

	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.SSHCredential]{
	Description: "Reads an SSH credential: an SSH public key for starting tunnels through the SSH gateway of the service.",
	Descriptions: map[string]string{
		"public_key": "SSH public key that the owner authenticates with, as one line in OpenSSH authorized-keys format.",
		"acl": "ACL rules that restrict the domains, addresses and labels that tunnels of this credential can bind, such as " +
			"`bind:*.example.com` or `bind:env=prod`. Empty if there are no restrictions.",
	},
	Filters: crud.ObjectFilters[api.SSHCredential](
		crud.EqualFilter(
			"owner_id", "ID of a user or bot user, such as `"+api.BotUsers.Example()+"`. Returns the credentials that it owns.",
			func(o *api.SSHCredential) string { return o.OwnerID },
		),
	),
	Name: name,
}

// name returns a display name such as "alice@laptop SHA256:…: A developer's
// laptop", with the comment and the fingerprint of the key.
func name(o *api.SSHCredential) string {
	key, comment, _, _, err := ssh.ParseAuthorizedKey([]byte(pki.PublicKeyLine(o.PublicKey)))
	if err != nil {
		return crud.DisplayName(o.ID, o.Description)
	}
	return crud.DisplayName(strings.TrimSpace(comment+" "+ssh.FingerprintSHA256(key)), o.Description)
}
