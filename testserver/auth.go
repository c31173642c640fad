package testserver

import (
	"net/http"
	"strings"
)

// account is the caller that an API key identifies.
type account struct {
	owner    string // usr_… or bot_…
	admin    bool
	readOnly bool // write requests are refused
}

// apiVersion is the only supported value of the Service-Version header.
const apiVersion = "2"

// authenticate finds the account of a call and checks the version header. The
// errors never contain the key.
func (api *api) authenticate(c *call) error {
	if c.direct {
		return nil
	}
	caller, known := api.caller(c.request)
	if !known {
		return &problem{status: http.StatusUnauthorized,
			message: "missing or invalid API key: expected the header Authorization: Bearer <API key>"}
	}
	c.account = caller
	if versions := c.request.Header.Values("Service-Version"); len(versions) != 1 || versions[0] != apiVersion {
		return invalid("Service-Version", "invalid Service-Version header: expected %s", apiVersion)
	}
	return nil
}

func (api *api) caller(r *http.Request) (account, bool) {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	caller, known := api.accounts[key]
	return caller, known && key != "" && strings.EqualFold(scheme, "Bearer")
}

// authorize returns an error if the key does not permit the method.
func (a account) authorize(method string) error {
	if a.readOnly && method != http.MethodGet {
		return &problem{status: http.StatusForbidden, message: "this API key is read-only"}
	}
	return nil
}

// hasOwner reports whether id is a User or Bot of the account.
func (c *call) hasOwner(id string) bool {
	for _, known := range c.api.accounts {
		if known.owner == id {
			return true
		}
	}
	return false
}
