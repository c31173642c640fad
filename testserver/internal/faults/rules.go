package faults

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

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// faultJSON is the JSON form of a [Fault].
type faultJSON struct {
	Method      string          `json:"method,omitempty"`
	Route       string          `json:"route,omitempty"`
	Path        string          `json:"path,omitempty"`
	Body        json.RawMessage `json:"body,omitempty"`
	Kind        Kind            `json:"fault"`
	Nth         int             `json:"nth,omitempty"`
	Probability float64         `json:"probability,omitempty"`
	Count       int             `json:"count,omitempty"`
	Seed        uint64          `json:"seed,omitempty"`
	Delay       string          `json:"delay,omitempty"` // for example "200ms"
	RetryAfter  string          `json:"retry_after,omitempty"`
	Before      bool            `json:"before,omitempty"`
	Status      int             `json:"status,omitempty"`
	Code        string          `json:"code,omitempty"`
}

// MarshalJSON encodes a rule in the format of POST /_testserver/faults.
func (f Fault) MarshalJSON() ([]byte, error) {
	out := faultJSON{
		f.Method, f.Route, f.Path, json.RawMessage(f.Body), f.Kind, f.Nth, f.Probability, f.Count, f.Seed, "", f.RetryAfter, f.Before,
		f.Status, f.Code,
	}
	if f.Delay != 0 {
		out.Delay = f.Delay.String()
	}
	return json.Marshal(out)
}

// UnmarshalJSON decodes a rule. It returns an error for unknown fields.
func (f *Fault) UnmarshalJSON(data []byte) error {
	var in faultJSON
	if err := body.DecodeStrict(bytes.NewReader(data), &in); err != nil && strings.Contains(err.Error(), "unknown field") {
		return fmt.Errorf("%w: expected before, body, code, count, delay, fault, method, nth, path, probability, retry_after, route, seed or "+
			"status", err)
	} else if err != nil {
		return err
	}
	var given struct { // zero in the Go struct means that the member is absent
		Nth         *int     `json:"nth"`
		Probability *float64 `json:"probability"`
		Count       *int     `json:"count"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	if given.Nth != nil && *given.Nth == 0 || given.Count != nil && *given.Count == 0 || given.Probability != nil && *given.Probability == 0 {
		return errors.New("nth, count and probability must not be 0: omit them, or omit the rule")
	}
	*f = Fault{Method: in.Method, Route: in.Route, Path: in.Path, Body: string(in.Body), Kind: in.Kind, Nth: in.Nth,
		Probability: in.Probability,
		Count:       in.Count, Seed: in.Seed, RetryAfter: in.RetryAfter, Before: in.Before, Status: in.Status, Code: in.Code}
	if in.Delay == "" {
		return nil
	}
	var err error
	f.Delay, err = time.ParseDuration(in.Delay)
	return err
}

// Parse reads rules for an API from JSON: a list of rules, or an object with
// the list as "rules".
func Parse(data []byte, api engine.Routes) ([]Fault, error) {
	data = body.FileText(data)
	var rules []Fault
	if object, err := body.Parse(data); err == nil && object["fault"] == nil {
		var in struct {
			Rules *[]Fault `json:"rules"`
		}
		if err := body.DecodeStrict(bytes.NewReader(data), &in); err != nil {
			return nil, fmt.Errorf("parse fault rules: %w", err)
		}
		if in.Rules == nil {
			return nil, errors.New(`parse fault rules: missing field "rules"`)
		}
		rules = *in.Rules
	} else if err == nil {
		return nil, errors.New(`parse fault rules: expected a list of rules, or {"rules": […]}; found one rule`)
	} else if err := body.DecodeStrict(bytes.NewReader(data), &rules); err != nil {
		return nil, fmt.Errorf("parse fault rules: %w", err)
	}
	for _, rule := range rules {
		if err := rule.validate(api); err != nil {
			return nil, err
		}
	}
	return rules, nil
}

// traits are the properties of a kind of fault.
type traits struct {
	delay    bool                    // the delay is required
	broken   bool                    // a broken response: supports Before and Status
	negative bool                    // the delay can be negative
	statuses []int                   // the allowed values of Status
	hits     func(*engine.Call) bool // reports whether a rule can hit the request; nil means all requests
}

// kindTraits are the kinds of faults that do not respond with an error status.
// For the others, see errorKinds.
var kindTraits = map[Kind]traits{
	Delay: {delay: true}, Slow: {delay: true}, Hold: {}, HoldAfter: {},
	ResetBefore: {}, ResetDuring: {}, ResetAfter: {},
	ResetStreamAfter: {hits: func(c *engine.Call) bool { return c.Request.ProtoMajor == 2 }},

	Truncate: {broken: true}, HTML: {broken: true}, ContentType: {broken: true}, Empty: {broken: true},
	Endless: {broken: true},

	Redirect: {statuses: []int{301, 302, 307, 308}, hits: onRoute}, LostRoute: {hits: onRoute},

	Lag: {delay: true, hits: onRead}, LagGet: {delay: true, hits: onReadOfOne},
	LagList: {delay: true, hits: onReadOfList}, StalePage: {delay: true, hits: onReadOfList},
	ShortList: {hits: onReadOfList}, EmptyReplica: {hits: onRead},

	NotFoundAfterCreate: {delay: true, hits: func(c *engine.Call) bool { return onRead(c) && c.Endpoint.IsItem() }},
	NotFoundOnce:        {hits: func(c *engine.Call) bool { return onRoute(c) && !c.Endpoint.IsList() }},

	Replay201: {hits: onCreate},

	ClockSkew: {delay: true, negative: true},
}

// Kinds returns all kinds of faults.
func Kinds() []Kind {
	return slices.Concat(slices.Sorted(maps.Keys(errorKinds)), slices.Sorted(maps.Keys(kindTraits)))
}

func kindNames() []string {
	var names []string
	for _, kind := range Kinds() {
		names = append(names, string(kind))
	}
	return names
}

// pastKinds are the kinds of faults that need past states of the store.
var pastKinds = map[Kind]bool{Lag: true, LagGet: true, LagList: true}

func onRoute(c *engine.Call) bool      { return c.Endpoint.Known() }
func onRead(c *engine.Call) bool       { return onRoute(c) && c.Request.Method == http.MethodGet }
func onReadOfList(c *engine.Call) bool { return onRead(c) && c.Endpoint.IsList() }
func onReadOfOne(c *engine.Call) bool  { return onRead(c) && !c.Endpoint.IsList() }
func onCreate(c *engine.Call) bool     { return c.Request.Method == http.MethodPost && c.Endpoint.IsList() }

// faultMethods are the allowed methods of a rule. An empty method matches any.
var faultMethods = []string{"", http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// validate returns an error if a rule is invalid. Rules with a route that the API
// does not have are refused, because they would never apply.
func (f Fault) validate(api engine.Routes) error {
	_, isError := errorKinds[f.Kind]
	traits, isOther := kindTraits[f.Kind]
	_, isCode := resetCodes[f.Code]
	found := ""
	switch {
	case !isError && !isOther:
		found = "unknown fault: expected " + strings.Join(kindNames(), ", ")
	case !api.Matches(f.Route):
		found = fmt.Sprintf("unknown route %q", f.Route)
	case f.Body != "" && !strings.HasPrefix(strings.TrimSpace(f.Body), "{"):
		found = "body must be an object"
	case f.Path != "" && (!strings.HasPrefix(f.Path, "/") || strings.Contains(f.Path, "{")):
		found = fmt.Sprintf("invalid path %q: expected a path such as /ssh_credentials/sshcr_2abc; for a pattern, use route", f.Path)
	case !slices.Contains(faultMethods, f.Method):
		found = fmt.Sprintf("unknown method %q: expected %s", f.Method, strings.Join(faultMethods[1:], ", "))
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
	case f.Code != "" && (f.Kind != ResetStreamAfter || !isCode):
		codes := slices.DeleteFunc(slices.Sorted(maps.Keys(resetCodes)), func(code string) bool { return code == "" })
		found = "code can only be set for reset_stream_after, to one of " + strings.Join(codes, ", ")
	}
	if found == "" {
		return nil
	}
	return fmt.Errorf("invalid fault rule %q: %s", f.Kind, found)
}
