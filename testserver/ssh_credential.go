package testserver

import "net/http"

// sshCredential is a public key that may start tunnels, see "SSH credential" in the API documentation.
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
		field:  "ssh_credentials",
		noun:   "SSH credential",
		table:  s.data.sshCredentials,
		create: s.newSSHCredential,
		change: func(_ *call, old *sshCredential, in *object) (*sshCredential, error) {
			changed := *old
			changed.common = old.changed(in)
			changed.ACL = orOldList(aclRules(in), old.ACL)
			return &changed, in.end()
		},
		view: func(_ *call, uri string, credential *sshCredential) any {
			return struct {
				URI string `json:"uri"`
				*sshCredential
			}{uri, credential}
		},
	}
}

// newSSHCredential makes a credential. It belongs to the caller, unless an admin names another owner.
func (s *Server) newSSHCredential(c *call, in *object) (*sshCredential, error) {
	credential := &sshCredential{common: newCommon(c, in, "sshcr_"), ACL: orEmpty(aclRules(in))}
	credential.PublicKey, _ = sshPublicKey(in, "public_key")
	credential.OwnerID = orOld(in.text("owner_id"), c.account.owner)
	if !pathID.MatchString(credential.OwnerID) {
		in.refuse("owner_id", "owner_id must be the id of a User or Bot")
	}
	if err := in.end(); err != nil {
		return nil, err
	}
	if credential.OwnerID != c.account.owner && !c.account.admin {
		return nil, &problem{status: http.StatusForbidden, field: "owner_id",
			message: "only admins may create an SSH credential for somebody else"}
	}
	if _, taken := s.data.sshCredentials.holder(credential.unique()); taken {
		return nil, &problem{status: http.StatusBadRequest, code: "609", field: "public_key",
			message: "an SSH credential with this public key exists already"}
	}
	return credential, nil
}
