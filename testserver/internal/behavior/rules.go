package behavior

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// Rule applies a behavior to the requests that meet its conditions. A request meets all
// limits, choices, values and delays whose rules match, but only the first other failure.
type Rule struct {
	Behavior string `json:"behavior"` // a name, with a value if it has one, such as delay=200ms; or seed=N

	// The conditions. What is empty matches any request.
	Method string            `json:"method,omitempty"` // for example "POST"
	Route  string            `json:"route,omitempty"`  // in the API documentation, can end in *
	Path   string            `json:"path,omitempty"`   // literal, for example /ssh_credentials/sshcr_2abc
	Query  map[string]string `json:"query,omitempty"`  // values can end in *; an empty one means none
	Header map[string]string `json:"header,omitempty"` // as Query
	Body   map[string]any    `json:"body,omitempty"`   // members that the body must have, at any depth

	Code    string `json:"code,omitempty"` // of an error, instead of its own
	Message string `json:"message,omitempty"`

	// Each rule counts the requests that it matches. Starting with the Nth (0 means
	// 1), each request is hit with the given Probability (0 means 1), which depends
	// only on Seed and the number of the request. Count limits the hits (0 means 1
	// if Nth is set, and no limit otherwise).
	Nth         int     `json:"nth,omitempty"`
	Probability float64 `json:"probability,omitempty"`
	Count       int     `json:"count,omitempty"`
	Seed        uint64  `json:"seed,omitempty"`
}

func (r *Rule) conditions() *Conditions {
	return &Conditions{r.Method, r.Route, r.Path, r.Query, r.Header, r.Body}
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
	on      *Conditions
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
			err = rule.validate(d, api)
		}
		if err != nil {
			return nil, err
		}
		states = append(states, &state{
			Rule: rule, definition: d, on: rule.conditions(), given: given, limit: newLimit(d.name, given),
		})
	}
	return states, nil
}

// validate returns an error if the rule can hit no request.
func (r *Rule) validate(d *definition, api engine.Routes) error {
	err := r.conditions().Check(api)
	switch {
	case err != nil:
	case d.traffic && !reflect.DeepEqual(*r, Rule{Behavior: r.Behavior}):
		err = errors.New("it is about traffic, so that no request meets it: expected only its name")
	case r.Probability < 0 || r.Probability > 1:
		err = errors.New("probability must be between 0 and 1")
	case r.Nth < 0 || r.Count < 0:
		err = errors.New("nth and count must not be negative")
	case (r.Code != "" || r.Message != "") && d.status == 0:
		err = errors.New("code and message are of an error, such as error=409")
	}
	if err != nil {
		return fmt.Errorf("behavior %s: %w", r.Behavior, err)
	}
	return nil
}

func onRead(c *engine.Call) bool { return c.Endpoint.Known() && c.Request.Method == http.MethodGet }

func (s *state) matches(c *engine.Call) bool {
	sent := &Sent{c.Request.Method, c.Endpoint.Pattern, c.Path, c.Request.URL.Query(), c.Request.Header, c.Body}
	return s.on.Differs(sent) == nil && (s.only == nil || s.only(c))
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
