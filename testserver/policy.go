package testserver

import (
	"encoding/json"
	"regexp"

	celcommon "cel.dev/cel-go/common"
	"cel.dev/cel-go/parser"
)

// policy is the traffic policy of a TLS or TCP edge, see "Edge policy module" in the API documentation.
type policy struct {
	Enabled  bool         `json:"enabled"`
	Inbound  []policyRule `json:"inbound"`
	Outbound []policyRule `json:"outbound"` // nil where none are set
}

// policyRule is an EndpointRule.
type policyRule struct {
	Name        string         `json:"name"`
	Expressions []string       `json:"expressions"`
	Actions     []policyAction `json:"actions"`
}

// policyAction is an EndpointAction. Its set is open, so config is kept as it came.
type policyAction struct {
	Type   string          `json:"type"`
	Config json.RawMessage `json:"config"`
}

// Limits of a policy.
const (
	maxRules       = 100 // in each direction
	maxExpressions = 16  // in each rule
)

// edgePolicy is the policy module of one kind of edge, "tls" or "tcp".
func (s *Server) edgePolicy(kind string) module[*edge, policy] {
	return module[*edge, policy]{
		path:   "/edges/" + kind + "/{id}/policy",
		noun:   "policy",
		parent: s.edges(kind).find,
		table:  s.edges(kind).table,
		read:   readPolicy,
		of:     func(e *edge) *policy { return e.Policy },
		with: func(e *edge, p *policy) *edge {
			changed := *e
			changed.Policy = p
			return &changed
		},
	}
}

func readPolicy(in *object) (*policy, error) {
	p := &policy{
		Enabled:  orOld(in.flag("enabled"), true),
		Inbound:  orEmpty(policyRules(in, "inbound")),
		Outbound: policyRules(in, "outbound"),
	}
	if len(p.Outbound) == 0 {
		p.Outbound = nil
	}
	return p, in.end()
}

func policyRules(in *object, name string) []policyRule {
	objects := in.objects(name)
	if len(objects) > maxRules {
		in.refuse(name, "%s has %d rules, at most %d are allowed", name, len(objects), maxRules)
		return nil
	}
	var rules []policyRule
	for _, rule := range objects {
		rules = append(rules, policyRule{
			Name:        orOld(rule.text("name"), ""),
			Expressions: celExpressions(rule),
			Actions:     policyActions(rule),
		})
		rule.refuseUnknown()
	}
	return rules
}

// celExpressions checks the syntax only: which variables there are is the service's own business.
func celExpressions(rule *object) []string {
	expressions := orEmpty(rule.texts("expressions"))
	if len(expressions) > maxExpressions {
		rule.refuse("expressions", "a rule has %d expressions, at most %d are allowed", len(expressions), maxExpressions)
		return nil
	}
	for i, expression := range expressions {
		if !parsesAsCEL(expression) {
			rule.refuse(element("expressions", i), "%s is no CEL expression", printable(expression))
		}
	}
	return expressions
}

func parsesAsCEL(expression string) bool {
	p, err := parser.NewParser(parser.Macros(parser.AllMacros...))
	if err != nil {
		return false
	}
	_, problems := p.Parse(celcommon.NewTextSource(expression))
	return len(problems.GetErrors()) == 0
}

var actionType = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

func policyActions(rule *object) []policyAction {
	actions := []policyAction{}
	for _, in := range rule.objects("actions") {
		action := policyAction{Type: in.need("type"), Config: in.anything("config")}
		if !actionType.MatchString(action.Type) {
			in.refuse("type", "the type of an action must be lower-case letters, digits and dashes")
		}
		checkConfig(in, action)
		in.refuseUnknown()
		actions = append(actions, action)
	}
	return actions
}

// checkConfig holds the configuration of known actions against what is known of them.
func checkConfig(in *object, action policyAction) {
	if action.Config == nil {
		return
	}
	switch action.Type {
	case "deny":
		in.refuse("config", "the action deny takes no config")
	case "log":
		if metadata, given := in.values["config"].(map[string]any)["metadata"]; given {
			if _, isObject := metadata.(map[string]any); !isObject {
				in.refuse("config.metadata", "the metadata of the action log must be an object")
			}
		}
	}
}
