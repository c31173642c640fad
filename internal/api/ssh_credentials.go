package api

import "slices"

// SSHCredential is a public key that may start tunnels through the service's SSH
// gateway.
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
	DetailsUpdate
	ACL []string `json:"acl"` // empty: no restrictions; never nil
}

// SSHCredentials is the collection at /ssh_credentials.
type SSHCredentials = Collection[SSHCredential, SSHCredentialCreate, SSHCredentialUpdate]

var sshCredentials = describe(kind[SSHCredential, SSHCredentialCreate]{
	noun: "SSH credential", path: "/ssh_credentials", list: "ssh_credentials",
	id:      func(o *SSHCredential) string { return o.ID },
	created: func(o *SSHCredential) string { return o.CreatedAt },
	same: func(sent *SSHCredentialCreate, o *SSHCredential) bool {
		return sent.same(&o.Object) && sameKey(sent.PublicKey, o.PublicKey) && sameACL(sent.ACL, o.ACL) &&
			(sent.OwnerID == "" || sent.OwnerID == o.OwnerID)
	},
	conflicts: func(sent *SSHCredentialCreate, o *SSHCredential) bool { return sameKey(sent.PublicKey, o.PublicKey) },
})

// sameACL compares ACLs. An ACL with the rule * is the same as an empty one.
func sameACL(a, b []string) bool {
	open := func(rules []string) bool { return len(rules) == 0 || slices.Contains(rules, "*") }
	return open(a) && open(b) || sameSet(a, b)
}

// SSHCredentials returns the account's SSH credentials.
func (c *Client) SSHCredentials() *SSHCredentials {
	return collection[SSHCredential, SSHCredentialCreate, SSHCredentialUpdate](c, sshCredentials)
}
