package engine

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Account is the caller that an API key identifies.
type Account struct {
	Owner    string // usr_… or bot_…
	Admin    bool
	ReadOnly bool // write requests are refused
}

// SecretHeaders are the header fields that no log and no rule contains.
var SecretHeaders = []string{"Authorization", "Proxy-Authorization", "Cookie"}

// apiVersion is the only supported value of the Service-Version header.
const apiVersion = "2"

// authenticate finds the account of a call and checks the version header. The
// errors never contain the key.
func (api *API) authenticate(c *Call) error {
	if c.Direct {
		return nil
	}
	caller, known := api.Caller(c.Request)
	if !known {
		return &problem.Problem{Status: http.StatusUnauthorized,
			Message: "missing or invalid API key: expected the header Authorization: Bearer <API key>"}
	}
	c.Account = caller
	if versions := c.Request.Header.Values("Service-Version"); len(versions) != 1 || versions[0] != apiVersion {
		return problem.Invalid("Service-Version", "missing or invalid header: expected Service-Version: %s", apiVersion)
	}
	return nil
}

// Caller returns the account of the API key of a request.
func (api *API) Caller(r *http.Request) (Account, bool) {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	caller, known := api.Accounts[key]
	if owner, created := api.Created(key); created {
		caller, known = Account{Owner: owner, Admin: owner == api.Admin.Owner}, true
	}
	return caller, known && key != "" && strings.EqualFold(scheme, "Bearer")
}

// authorize returns an error if the key does not permit the method.
func (a Account) authorize(method string) error {
	if a.ReadOnly && method != http.MethodGet {
		return &problem.Problem{Status: http.StatusForbidden, Message: "this API key is read-only"}
	}
	return nil
}

// HasOwner reports whether id is a User or Bot of the account.
func (c *Call) HasOwner(id string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(c.api.Accounts)), func(known Account) bool { return known.Owner == id })
}
