package behavior

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Rule applies a behavior to the requests that meet its conditions. A request meets all
// limits, choices, values and delays whose rules match, but only the first other failure.
type Rule struct {
	Behavior string          `json:"behavior"`         // a name, with a value if it has one, such as delay=200ms; or seed=N
	Method   string          `json:"method,omitempty"` // for example "POST"; empty matches any method
	Route    string          `json:"route,omitempty"`  // in the API documentation, can end in *; empty matches any route
	Path     string          `json:"path,omitempty"`   // literal, for example /ssh_credentials/sshcr_2abc; empty matches any path
	Body     json.RawMessage `json:"body,omitempty"`   // object whose members the body of the request must have

	// Each rule counts the requests that it matches. Starting with the Nth (0 means
	// 1), each request is hit with the given Probability (0 means 1), which depends
	// only on Seed and the number of the request. Count limits the hits (0 means 1
	// if Nth is set, and no limit otherwise).
	Nth         int     `json:"nth,omitempty"`
	Probability float64 `json:"probability,omitempty"`
	Count       int     `json:"count,omitempty"`
	Seed        uint64  `json:"seed,omitempty"`
}

// UnmarshalJSON decodes a rule, or a text that only names the behavior.
func (r *Rule) UnmarshalJSON(data []byte) error {
	*r = Rule{}
	if bytes.HasPrefix(data, []byte(`"`)) {
		return json.Unmarshal(data, &r.Behavior)
	}
	type plain Rule // has no UnmarshalJSON
	return body.DecodeStrict(data, (*plain)(r))
}

// Parse reads rules for an API from JSON: a list of rules and names.
func Parse(data []byte, api engine.Routes) ([]Rule, error) {
	if data = body.FileText(data); bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, errors.New(`expected a list such as ["list_small_pages", {"behavior": "503", "method": "POST"}]; found an object`)
	}
	var rules []Rule
	if err := body.DecodeStrict(data, &rules); err != nil {
		return nil, err
	}
	_, err := compile(rules, api)
	return rules, err
}

// Check returns an error for rules whose behavior is unknown.
func Check(rules []Rule) error {
	_, err := compile(rules, nil)
	return err
}

// state is a rule with its counters.
type state struct {
	Rule
	*definition
	given   argument
	limit   *limit // of a limitation
	matched uint64
	hits    int
}

// compile checks rules, and draws the choices of seeds.
func compile(rules []Rule, api engine.Routes) ([]*state, error) {
	var states []*state
	for _, rule := range rules {
		if text, ok := strings.CutPrefix(rule.Behavior, seed+"="); ok {
			chosen, err := drawn(text)
			if err == nil && !reflect.DeepEqual(rule, Rule{Behavior: rule.Behavior}) {
				err = errors.New("behavior seed has no conditions: name the behaviors that it chooses instead")
			}
			if err != nil {
				return nil, err
			}
			some, _ := compile(chosen, api) // all are known
			states = append(states, some...)
			continue
		}
		d, given, err := find(rule.Behavior)
		if err == nil {
			err = rule.validate(api)
		}
		if err != nil {
			return nil, err
		}
		states = append(states, &state{Rule: rule, definition: d, given: given, limit: newLimit(d.name, given)})
	}
	return states, nil
}

// methods are the allowed methods of a rule. An empty method matches any.
var methods = []string{"", http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// validate returns an error if the conditions are invalid. Rules with a route that the
// API does not have are refused, because they would never apply.
func (r *Rule) validate(api engine.Routes) error {
	found := ""
	switch {
	case r.Route != "" && !api.Matches(r.Route):
		found = "unknown route " + problem.Printable(r.Route) + problem.Nearest(r.Route, api.Patterns())
	case len(r.Body) > 0 && !bytes.HasPrefix(bytes.TrimSpace(r.Body), []byte("{")):
		found = "body must be an object"
	case r.Path != "" && (!strings.HasPrefix(r.Path, "/") || strings.Contains(r.Path, "{")):
		found = fmt.Sprintf("invalid path %q: expected a path such as /ssh_credentials/sshcr_2abc; for a pattern, use route", r.Path)
	case !slices.Contains(methods, r.Method):
		found = fmt.Sprintf("unknown method %q: expected %s", r.Method, strings.Join(methods[1:], ", "))
	case r.Probability < 0 || r.Probability > 1:
		found = "probability must be between 0 and 1"
	case r.Nth < 0 || r.Count < 0:
		found = "nth and count must not be negative"
	}
	if found == "" {
		return nil
	}
	return fmt.Errorf("behavior %s: %s", r.Behavior, found)
}

func onRead(c *engine.Call) bool { return c.Endpoint.Known() && c.Request.Method == http.MethodGet }

func (s *state) matches(c *engine.Call) bool {
	if s.Path != "" && s.Path != c.Request.URL.Path || !s.hasBody(c.Body) {
		return false
	}
	if s.Method != "" && s.Method != c.Request.Method || !engine.MatchesRoute(s.Route, c.Endpoint.Pattern) {
		return false
	}
	return s.only == nil || s.only(c)
}

// hasBody reports whether a body has the members of the rule.
func (s *state) hasBody(sent []byte) bool {
	if len(s.Body) == 0 {
		return true
	}
	var wanted, members map[string]any
	if json.Unmarshal(s.Body, &wanted) != nil || json.Unmarshal(sent, &members) != nil {
		return false
	}
	for name, value := range wanted {
		if !reflect.DeepEqual(value, members[name]) {
			return false
		}
	}
	return true
}

// done reports whether a rule can hit no more requests.
func (s *state) done() bool {
	limit := s.Count
	if limit == 0 && s.Nth > 0 {
		limit = 1
	}
	return limit > 0 && s.hits >= limit
}

func (s *state) hitsNow() bool {
	if s.matched < uint64(max(s.Nth, 1)) || s.done() {
		return false
	}
	return s.Probability == 0 || rand.New(rand.NewPCG(s.Seed, s.matched)).Float64() < s.Probability
}
