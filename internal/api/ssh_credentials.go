package api

// SSHCredential is a public key that may start tunnels through the service's
// SSH gateway.
type SSHCredential struct {
	Object
	PublicKey string   `json:"public_key"` // OpenSSH authorized-keys format
	ACL       []string `json:"acl"`        // empty: no restrictions
	OwnerID   string   `json:"owner_id"`   // a User or Bot
}

// SSHCredentialCreate is the body that creates an SSH credential. Without
// OwnerID, the caller is the owner.
type SSHCredentialCreate struct {
	Details
	PublicKey string   `json:"public_key"`
	ACL       []string `json:"acl,omitempty"`
	OwnerID   string   `json:"owner_id,omitempty"`
}

// SSHCredentialUpdate is the body that updates an SSH credential.
type SSHCredentialUpdate struct {
	Details
	ACL []string `json:"acl"` // empty: no restrictions; never nil
}

// SSHCredentials are the SSH credentials of the account.
var SSHCredentials = identified[SSHCredential](
	Kind{Noun: "SSH credential", Prefix: "sshcr_", Path: "/ssh_credentials", ListField: "ssh_credentials", StatesLimits: true},
)
