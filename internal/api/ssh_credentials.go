package api

// SSHCredential is a public key that may start tunnels through the service's
// SSH gateway.
type SSHCredential struct {
	Object
	PublicKey string   `json:"public_key"` // OpenSSH authorized-keys format
	ACL       []string `json:"acl"`        // empty: no restrictions
	OwnerID   string   `json:"owner_id"`   // a User or Bot
}

// SSHCredentialCreate is the body that makes one. The owner is the caller where
// it is left empty.
type SSHCredentialCreate struct {
	Details
	PublicKey string   `json:"public_key"`
	ACL       []string `json:"acl,omitempty"`
	OwnerID   string   `json:"owner_id,omitempty"`
}

// SSHCredentialUpdate changes one: nil leaves a field as it is, empty clears it.
type SSHCredentialUpdate struct {
	DetailsUpdate
	ACL *[]string `json:"acl,omitempty"`
}

// SSHCredentials are at /ssh_credentials.
type SSHCredentials = Collection[SSHCredential, SSHCredentialCreate, SSHCredentialUpdate]

// SSHCredentials returns the account's SSH credentials.
func (c *Client) SSHCredentials() SSHCredentials {
	return SSHCredentials{
		client: c, noun: "SSH credential", path: "/ssh_credentials", list: "ssh_credentials",
		id:      func(o *SSHCredential) string { return o.ID },
		created: func(o *SSHCredential) string { return o.CreatedAt },
		same: func(sent *SSHCredentialCreate, o *SSHCredential) bool {
			return sent.same(&o.Object) && sameKey(sent.PublicKey, o.PublicKey) && sameSet(sent.ACL, o.ACL) &&
				(sent.OwnerID == "" || sent.OwnerID == o.OwnerID)
		},
	}
}
