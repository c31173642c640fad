package kinds

import (
	"net/http"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// sshCredential is a public key that can start tunnels. See "SSH credential" in
// the API documentation.
type sshCredential struct {
	common
	PublicKey string   `json:"public_key"`
	ACL       []string `json:"acl"`
	OwnerID   string   `json:"owner_id"`
}

const sshCredentialTable store.TableOf[*sshCredential] = "ssh_credentials"

func (c *sshCredential) Unique() string   { return keys.SSHBlob(c.PublicKey) }
func (c *sshCredential) Refers() []string { return []string{c.OwnerID} }

func sshCredentials(s *Service) engine.Collection[*sshCredential] {
	return engine.Collection[*sshCredential]{
		Path:          "/ssh_credentials",
		Prefix:        "sshcr_",
		Field:         "ssh_credentials",
		Noun:          "SSH credential",
		NoEmptyUpdate: true,
		Table:         sshCredentialTable.In(s.store),
		Refers:        []string{"/bot_users"},
		Create:        s.newSSHCredential,
		Update: func(_ *engine.Call, old *sshCredential, in *body.Object) *sshCredential {
			credential := copyOf(old)
			credential.common = old.updated(in)
			credential.ACL = orExistingList(keys.ReadACL(in), old.ACL)
			return credential
		},
	}
}

// newSSHCredential creates a credential. Its owner is the caller, unless an
// admin sets another owner.
func (s *Service) newSSHCredential(c *engine.Call, in *body.Object) (*sshCredential, error) {
	credential := &sshCredential{common: newCommon(c, in), ACL: orEmpty(keys.ReadACL(in))}
	if line := keys.SSHLine(orExisting(in.Text("public_key"), "")); line != "" {
		in.Values["public_key"] = line
	}
	credential.PublicKey, _ = keys.ReadSSHPublicKey(in, "public_key", keys.CredentialKeyTypes)
	var err error
	if credential.OwnerID, err = s.readOwner(c, in, "an SSH credential"); err != nil {
		return nil, err
	}
	if _, taken := sshCredentialTable.In(s.store).Holder(credential.Unique()); taken {
		return nil, &problem.Problem{Status: http.StatusBadRequest, Code: "609", Field: "public_key",
			Message: "an SSH credential with this public key already exists"}
	}
	return credential, nil
}
