package testserver

import "net/http"

// sshCredential is a public key that can start tunnels. See "SSH credential" in the API documentation.
type sshCredential struct {
	common
	PublicKey string   `json:"public_key"`
	ACL       []string `json:"acl"`
	OwnerID   string   `json:"owner_id"`
}

func (c *sshCredential) unique() string { return sshBlob(c.PublicKey) }

func (s *Server) sshCredentials() collection[*sshCredential] {
	return collection[*sshCredential]{
		path:   "/ssh_credentials",
		prefix: "sshcr_",
		field:  "ssh_credentials",
		noun:   "SSH credential",
		filled: true,
		table:  s.data.sshCredentials,
		create: s.newSSHCredential,
		update: func(_ *call, old *sshCredential, in *object) *sshCredential {
			credential := copyOf(old)
			credential.common = old.updated(in)
			credential.ACL = orOldList(aclRules(in), old.ACL)
			return credential
		},
		view: func(_ *call, uri string, credential *sshCredential) any {
			return struct {
				URI string `json:"uri"`
				*sshCredential
			}{uri, credential}
		},
	}
}

// newSSHCredential creates a credential. Its owner is the caller, unless an admin sets another owner.
func (s *Server) newSSHCredential(c *call, in *object) (*sshCredential, error) {
	credential := &sshCredential{common: newCommon(c, in), ACL: orEmpty(aclRules(in))}
	credential.PublicKey, _ = sshPublicKey(in, "public_key")
	credential.OwnerID = orOld(in.text("owner_id"), c.account.owner)
	if err := in.end(); err != nil {
		return nil, err
	}
	if credential.OwnerID != c.account.owner && !c.account.admin {
		return nil, &problem{status: http.StatusForbidden, field: "owner_id",
			message: "only admins can create an SSH credential for another owner"}
	}
	in.rule(s.hasOwner(credential.OwnerID), "owner_id", "unknown owner %s: expected a User or Bot of this account", printable(credential.OwnerID))
	if _, taken := s.data.sshCredentials.holder(credential.unique()); taken {
		return nil, &problem{status: http.StatusBadRequest, code: "609", field: "public_key",
			message: "an SSH credential with this public key already exists"}
	}
	return credential, nil
}
