package testserver

import (
	"net/http"
	"strings"
)

// account is who calls with an API key.
type account struct {
	owner    string // usr_… or bot_…
	admin    bool
	readOnly bool // may only read
}

// apiVersion is the only value of the Service-Version header that there is.
const apiVersion = "2"

// authenticate finds the account of a call and checks the version header. No answer ever repeats the key.
func (s *Server) authenticate(c *call) error {
	if c.direct {
		c.account = s.accounts[s.AdminKey]
		return nil
	}
	caller, known := s.caller(c.request)
	if !known {
		return &problem{status: http.StatusUnauthorized,
			message: "the request needs the header Authorization: Bearer with a valid API key"}
	}
	c.account = caller
	if versions := c.request.Header.Values("Service-Version"); len(versions) != 1 || versions[0] != apiVersion {
		return invalid("Service-Version", "the header Service-Version must be %s", apiVersion)
	}
	return nil
}

func (s *Server) caller(r *http.Request) (account, bool) {
	scheme, key, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	caller, known := s.accounts[key]
	return caller, known && key != "" && strings.EqualFold(scheme, "Bearer")
}

// authorize refuses what a key may not do.
func (a account) authorize(method string) error {
	if a.readOnly && method != http.MethodGet {
		return &problem{status: http.StatusForbidden, message: "this API key may only read"}
	}
	return nil
}

// hasOwner reports whether a User or Bot belongs to the account.
func (s *Server) hasOwner(id string) bool {
	for _, known := range s.accounts {
		if known.owner == id {
			return true
		}
	}
	return false
}
