package testserver

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/behavior"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// activity is what has happened since a client asked last, and what is in force. The
// page in a browser asks for it several times a second, so it is small.
type activity struct {
	Server   string             `json:"server"`   // differs after a restart, which begins the numbers anew
	First    int                `json:"first"`    // number of the oldest request in the log
	Last     int                `json:"last"`     // number of the newest one
	Requests []loggedRequest    `json:"requests"` // without bodies, oldest first
	Total    int                `json:"total"`    // since the start or the last reset
	InFlight int                `json:"in_flight"`
	Objects  uint64             `json:"objects"` // version of the objects
	Rules    []behavior.InForce `json:"rules"`
}

// maxActivity is the maximum number of requests in an activity. A client that asks
// less often than they arrive gets the newest ones.
const maxActivity = 1000

// controlActivity returns what has happened after the request with the number after.
func (s *Server) controlActivity(c *engine.Call) (*engine.Answer, error) {
	after, err := version(c)
	if err != nil {
		return nil, err
	}
	log, first, last := s.requestLog.after(int(after), maxActivity)
	found := activity{Server: s.identity(), First: first, Last: last, Requests: make([]loggedRequest, 0, len(log)),
		InFlight: int(s.api.InFlight.Load()), Objects: s.api.Store.Version(), Rules: s.behavior.InForce()}
	for i := range log {
		log[i].RequestBody, log[i].ResponseBody = nil, nil
		found.Requests = append(found.Requests, log[i].asJSON())
	}
	found.Total = s.requestLog.total()
	return s.success(c, http.StatusOK, found), nil
}

// accountOverview is the objects of the account, with what is needed to choose from
// them.
type accountOverview struct {
	kinds.Overview
	Routes []string `json:"routes"` // of the API, for rules
}

// controlOverview returns the objects that changed after a version, with their
// parents and references.
func (s *Server) controlOverview(c *engine.Call) (*engine.Answer, error) {
	after, err := version(c)
	if err != nil {
		return nil, err
	}
	found := accountOverview{Overview: kinds.Changes(s.api.Store, after)}
	for i := range found.Objects {
		if object := &found.Objects[i]; isSecret(s, object.Label, strings.Contains) {
			object.Label = redacted
		}
	}
	found.Routes = s.api.Routes.Patterns()
	return s.success(c, http.StatusOK, found), nil
}

// version returns the query parameter after, or 0.
func version(c *engine.Call) (uint64, error) {
	query, err := c.Query("after")
	if err != nil || !query.Has("after") {
		return 0, err
	}
	after, err := strconv.ParseUint(query.Get("after"), 10, 63)
	if err != nil {
		return 0, problem.Invalid("after", "after must be a non-negative integer")
	}
	return after, nil
}
