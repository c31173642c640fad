package testserver

import (
	"fmt"
	"net/http"
	"time"
)

// sshCredential is a public key that can start tunnels. See "SSH credential" in
// the API documentation.
type sshCredential struct {
	common
	PublicKey string   `json:"public_key"`
	Sent      string   `json:"sent,omitempty"` // public_key as sent, if it was PEM
	ACL       []string `json:"acl"`
	OwnerID   string   `json:"owner_id"`
}

const sshCredentialTable tableOf[*sshCredential] = "ssh_credentials"

func (c *sshCredential) unique() string { return sshBlob(c.PublicKey) }

func (s *service) sshCredentials() collection[*sshCredential] {
	return collection[*sshCredential]{
		path:   "/ssh_credentials",
		prefix: "sshcr_",
		field:  "ssh_credentials",
		noun:   "SSH credential",
		filled: true,
		table:  sshCredentialTable.in(s.store),
		create: s.newSSHCredential,
		update: func(_ *call, old *sshCredential, in *object) *sshCredential {
			credential := copyOf(old)
			credential.common = old.updated(in)
			credential.ACL = orExistingList(aclRules(in), old.ACL)
			return credential
		},
		view: func(c *call, uri string, credential *sshCredential) any {
			key := credential.PublicKey
			if c.quirk != nil && credential.Sent != "" {
				key = credential.Sent
			}
			return struct {
				URI string `json:"uri"`
				*sshCredential
				PublicKey string    `json:"public_key"`
				Sent      *struct{} `json:"sent,omitempty"` // hides the stored field
			}{URI: uri, sshCredential: credential, PublicKey: key}
		},
	}
}

// newSSHCredential creates a credential. Its owner is the caller, unless an
// admin sets another owner.
func (s *service) newSSHCredential(c *call, in *object) (*sshCredential, error) {
	credential := &sshCredential{common: newCommon(c, in), ACL: orEmpty(aclRules(in))}
	sent := orExisting(in.text("public_key"), "")
	if line := sshLineOf(sent); line != "" {
		in.values["public_key"], credential.Sent = line, sent
	}
	credential.PublicKey, _ = sshPublicKey(in, "public_key", credentialKeyTypes)
	credential.OwnerID = orExisting(in.text("owner_id"), c.account.owner)
	if err := in.end(); err != nil {
		return nil, err
	}
	if credential.OwnerID != c.account.owner && !c.account.admin {
		return nil, &problem{status: http.StatusForbidden, field: "owner_id",
			message: "only admins can create an SSH credential for another owner"}
	}
	in.rule(c.hasOwner(credential.OwnerID), "owner_id", "unknown owner %s: expected a User or Bot of this account", printable(credential.OwnerID))
	if _, taken := sshCredentialTable.in(s.store).holder(credential.unique()); taken {
		return nil, &problem{status: http.StatusBadRequest, code: "609", field: "public_key",
			message: "an SSH credential with this public key already exists"}
	}
	return credential, nil
}

// seedSSHCredentials creates n credentials of an owner in one transaction and
// returns their ids, oldest first. Each has a valid ed25519 public key without a
// known private key.
func seedSSHCredentials(api *api, owner string, n int) ([]string, error) {
	ids := make([]string, 0, n)
	err := api.store.update(func(tx *tx) error {
		for i := range n {
			now, description := api.now(), fmt.Sprintf("seeded %d", i)
			credential := &sshCredential{
				common: common{
					ID:          api.ids.next("sshcr_", now),
					CreatedAt:   now.Truncate(time.Second),
					Description: &description,
				},
				ACL:     []string{},
				OwnerID: owner,
			}
			credential.PublicKey = publicKeyFor(credential.ID)
			sshCredentialTable.in(api.store).put(tx, credential)
			ids = append(ids, credential.ID)
		}
		return nil
	})
	return ids, err
}
