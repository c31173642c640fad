package testserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
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
}

// MarshalJSON encodes a rule in the format of POST /_testserver/faults.
func (f Fault) MarshalJSON() ([]byte, error) {
	out := faultJSON{f.Method, f.Route, f.Kind, f.Nth, f.Probability, f.Count, f.Seed, "", f.RetryAfter, f.Before, f.Status}
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
		Count: in.Count, Seed: in.Seed, RetryAfter: in.RetryAfter, Before: in.Before, Status: in.Status}
	if in.Delay == "" {
		return nil
	}
	var err error
	f.Delay, err = time.ParseDuration(in.Delay)
	return err
}

// ParseFaults reads rules from JSON: a list of rules, or an object with the list as "rules".
func ParseFaults(data []byte) ([]Fault, error) {
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
		if err := rule.validate(); err != nil {
			return nil, err
		}
	}
	return rules, nil
}

// otherFaults are the fault kinds that do not respond with an error status.
var otherFaults = []FaultKind{
	FaultDelay, FaultSlow, FaultResetBefore, FaultResetDuring, FaultResetAfter, FaultTruncate, FaultHTML, FaultContentType,
	FaultEmpty, FaultEndless, FaultStaleList, FaultNotFoundAfterCreate,
}

// brokenForms are the fault kinds that support Before and Status.
var brokenForms = []FaultKind{FaultTruncate, FaultHTML, FaultContentType, FaultEmpty, FaultEndless}

// lags are the fault kinds that require a delay.
var lags = []FaultKind{FaultDelay, FaultSlow, FaultStaleList, FaultNotFoundAfterCreate}

// faultMethods are the allowed methods of a rule. An empty method matches any.
var faultMethods = []string{"", http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// apiRoutes are the routes of the API. Rules with any other route are refused, because they would never apply.
var apiRoutes = sync.OnceValue(func() routes { return new(Server).endpoints() })

// isRoute reports whether a route of a rule matches any route of the API.
func isRoute(route string) bool {
	return slices.ContainsFunc(apiRoutes(), func(e *endpoint) bool { return matchesRoute(route, e.pattern) })
}

// validate returns an error if a rule is invalid.
func (f Fault) validate() error {
	_, isError := errorFaults[f.Kind]
	mistake := ""
	switch {
	case !isError && !slices.Contains(otherFaults, f.Kind):
		mistake = "unknown fault"
	case !isRoute(f.Route):
		mistake = fmt.Sprintf("unknown route %q", f.Route)
	case !slices.Contains(faultMethods, f.Method):
		mistake = fmt.Sprintf("unknown method %q", f.Method)
	case f.Probability < 0 || f.Probability > 1:
		mistake = "probability must be between 0 and 1"
	case f.Nth < 0 || f.Count < 0 || f.Delay < 0:
		mistake = "nth, count and delay must not be negative"
	case f.Delay == 0 && slices.Contains(lags, f.Kind):
		mistake = "delay is required"
	case (f.Before || f.Status != 0) && !slices.Contains(brokenForms, f.Kind):
		mistake = "before and status can only be set for truncate, html, content_type, empty and endless"
	case f.Status != 0 && (f.Status < 200 || f.Status > 599 || f.Status == 204 || f.Status == 304):
		mistake = "status must be between 200 and 599 and allow a body, so not 204 or 304"
	case f.RetryAfter != "" && !isError && !f.Before:
		mistake = "retry_after can only be set for errors"
	}
	if mistake == "" {
		return nil
	}
	return fmt.Errorf("invalid fault rule %q: %s", f.Kind, mistake)
}
