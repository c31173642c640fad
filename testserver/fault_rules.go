package testserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// faultJSON is the JSON form of a [Fault].
type faultJSON struct {
	Method      string    `json:"method,omitempty"`
	Route       string    `json:"route,omitempty"`
	Kind        FaultKind `json:"fault"`
	Nth         int       `json:"nth,omitempty"`
	Probability float64   `json:"probability,omitempty"`
	Count       int       `json:"count,omitempty"`
	Seed        uint64    `json:"seed,omitempty"`
	Delay       string    `json:"delay,omitempty"` // for example "200ms"
	RetryAfter  string    `json:"retry_after,omitempty"`
	Before      bool      `json:"before,omitempty"`
	Status      int       `json:"status,omitempty"`
	Code        string    `json:"code,omitempty"`
}

// MarshalJSON encodes a rule in the format of POST /_testserver/faults.
func (f Fault) MarshalJSON() ([]byte, error) {
	out := faultJSON{f.Method, f.Route, f.Kind, f.Nth, f.Probability, f.Count, f.Seed, "", f.RetryAfter, f.Before, f.Status, f.Code}
	if f.Delay != 0 {
		out.Delay = f.Delay.String()
	}
	return json.Marshal(out)
}

// UnmarshalJSON decodes a rule. It returns an error for unknown fields.
func (f *Fault) UnmarshalJSON(data []byte) error {
	var in faultJSON
	if err := strictJSON(bytes.NewReader(data), &in); err != nil {
		return err
	}
	*f = Fault{Method: in.Method, Route: in.Route, Kind: in.Kind, Nth: in.Nth, Probability: in.Probability,
		Count: in.Count, Seed: in.Seed, RetryAfter: in.RetryAfter, Before: in.Before, Status: in.Status, Code: in.Code}
	if in.Delay == "" {
		return nil
	}
	var err error
	f.Delay, err = time.ParseDuration(in.Delay)
	return err
}

// parseFaults reads rules for an API from JSON: a list of rules, or an object with
// the list as "rules".
func parseFaults(data []byte, api routes) ([]Fault, error) {
	var rules []Fault
	if object, err := parseBody(data); err == nil && object["fault"] == nil {
		var in struct {
			Rules *[]Fault `json:"rules"`
		}
		if err := strictJSON(bytes.NewReader(data), &in); err != nil {
			return nil, fmt.Errorf("parse fault rules: %w", err)
		}
		if in.Rules == nil {
			return nil, errors.New(`parse fault rules: missing field "rules"`)
		}
		rules = *in.Rules
	} else if err := strictJSON(bytes.NewReader(data), &rules); err != nil {
		return nil, fmt.Errorf("parse fault rules: %w", err)
	}
	for _, rule := range rules {
		if err := rule.validate(api); err != nil {
			return nil, err
		}
	}
	return rules, nil
}

// faultTraits are the properties of a kind of fault.
type faultTraits struct {
	delay    bool             // the delay is required
	broken   bool             // a broken response: supports Before and Status
	negative bool             // the delay can be negative
	statuses []int            // the allowed values of Status
	hits     func(*call) bool // reports whether a rule can hit the request; nil means all requests
}

// faultKinds are the kinds of faults that do not respond with an error status.
// For the others, see errorFaults.
var faultKinds = map[FaultKind]faultTraits{
	FaultDelay: {delay: true}, FaultSlow: {delay: true},
	FaultResetBefore: {}, FaultResetDuring: {}, FaultResetAfter: {},
	FaultResetStreamAfter: {hits: func(c *call) bool { return c.request.ProtoMajor == 2 }},

	FaultTruncate: {broken: true}, FaultHTML: {broken: true}, FaultContentType: {broken: true}, FaultEmpty: {broken: true},
	FaultEndless: {broken: true},

	FaultRedirect: {statuses: []int{301, 302, 307, 308}, hits: onRoute}, FaultLostRoute: {hits: onRoute},

	FaultLag: {delay: true, hits: onRead}, FaultLagGet: {delay: true, hits: onReadOfOne},
	FaultLagList: {delay: true, hits: onReadOfList}, FaultStalePage: {delay: true, hits: onReadOfList},
	FaultShortList: {hits: onReadOfList}, FaultEmptyReplica: {hits: onRead},

	FaultNotFoundAfterCreate: {delay: true, hits: func(c *call) bool { return onRead(c) && c.endpoint.isItem() }},
	FaultNotFoundOnce:        {hits: func(c *call) bool { return onRoute(c) && !c.endpoint.isList() }},

	FaultReplay201: {hits: onCreate}, FaultForeign201: {hits: onCreate},

	FaultClockSkew: {delay: true, negative: true},
}

// allFaultKinds returns all kinds of faults.
func allFaultKinds() []FaultKind {
	return slices.Concat(slices.Sorted(maps.Keys(errorFaults)), slices.Sorted(maps.Keys(faultKinds)))
}

// pastKinds are the kinds of faults that need past states of the store.
var pastKinds = map[FaultKind]bool{FaultLag: true, FaultLagGet: true, FaultLagList: true}

func onRoute(c *call) bool      { return c.endpoint.known() }
func onRead(c *call) bool       { return onRoute(c) && c.request.Method == http.MethodGet }
func onReadOfList(c *call) bool { return onRead(c) && c.endpoint.isList() }
func onReadOfOne(c *call) bool  { return onRead(c) && !c.endpoint.isList() }
func onCreate(c *call) bool     { return c.request.Method == http.MethodPost && c.endpoint.isList() }

// faultMethods are the allowed methods of a rule. An empty method matches any.
var faultMethods = []string{"", http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// validate returns an error if a rule is invalid. Rules with a route that the API
// does not have are refused, because they would never apply.
func (f Fault) validate(api routes) error {
	_, isError := errorFaults[f.Kind]
	traits, isOther := faultKinds[f.Kind]
	_, isCode := resetCodes[f.Code]
	found := ""
	switch {
	case !isError && !isOther:
		found = "unknown fault"
	case !api.matches(f.Route):
		found = fmt.Sprintf("unknown route %q", f.Route)
	case !slices.Contains(faultMethods, f.Method):
		found = fmt.Sprintf("unknown method %q", f.Method)
	case f.Probability < 0 || f.Probability > 1:
		found = "probability must be between 0 and 1"
	case f.Nth < 0 || f.Count < 0 || f.Delay < 0 && !traits.negative:
		found = "nth, count and delay must not be negative"
	case f.Delay == 0 && traits.delay:
		found = "delay is required"
	case f.Before && !traits.broken:
		found = "before can only be set for truncate, html, content_type, empty and endless"
	case f.Status != 0 && traits.statuses != nil && !slices.Contains(traits.statuses, f.Status):
		found = "status must be 301, 302, 307 or 308"
	case f.Status != 0 && traits.statuses == nil && !traits.broken:
		found = "status can only be set for redirect, truncate, html, content_type, empty and endless"
	case f.Status != 0 && (f.Status < 200 || f.Status > 599 || f.Status == 204 || f.Status == 304):
		found = "status must be between 200 and 599 and allow a body, so not 204 or 304"
	case f.RetryAfter != "" && !isError && !f.Before:
		found = "retry_after can only be set for errors"
	case f.Code != "" && (f.Kind != FaultResetStreamAfter || !isCode):
		found = "code can only be set for reset_stream_after, to " + strings.Join(slices.Sorted(maps.Keys(resetCodes)), ", ")
	}
	if found == "" {
		return nil
	}
	return fmt.Errorf("invalid fault rule %q: %s", f.Kind, found)
}
