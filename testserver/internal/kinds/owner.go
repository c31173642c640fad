package kinds

import (
	"net/http"
	"slices"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// readOwner returns the owner of a new object, such as "an API key": the caller, unless
// an admin sets another owner.
func (s *Service) readOwner(c *engine.Call, in *body.Object, object string) (string, error) {
	owner := orExisting(in.Text("owner_id"), c.Account.Owner)
	if err := in.End(); err != nil {
		return "", err
	}
	if owner != c.Account.Owner && !c.Account.Admin {
		return "", &problem.Problem{Status: http.StatusForbidden, Field: "owner_id",
			Message: "only admins can create " + object + " for another owner"}
	}
	_, isBot := botUserTable.In(s.store).Get(owner)
	in.Rule(isBot || c.HasOwner(owner) || s.owns(owner), "owner_id",
		"unknown owner %s: expected a User or Bot of this account", problem.Printable(owner))
	return owner, nil
}

// owns reports whether a credential or API key has an owner, as in a copy of an account,
// whose users this server does not have.
func (s *Service) owns(owner string) bool {
	return slices.ContainsFunc(sshCredentialTable.In(s.store).All(), func(c *sshCredential) bool { return c.OwnerID == owner }) ||
		slices.ContainsFunc(apiKeyTable.In(s.store).All(), func(k *apiKey) bool { return k.OwnerID == owner })
}
