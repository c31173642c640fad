package kinds

import (
	"encoding/json"
	"regexp"
	"strings"

	celcommon "cel.dev/cel-go/common"
	"cel.dev/cel-go/parser"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// policy is the traffic policy of a TLS or TCP edge. See "Edge policy module"
// in the API documentation.
type policy struct {
	Enabled  bool         `json:"enabled"`
	Inbound  []policyRule `json:"inbound"`
	Outbound []policyRule `json:"outbound"` // nil if there are no rules
}

// policyRule is an EndpointRule.
type policyRule struct {
	Name        string         `json:"name"`
	Expressions []string       `json:"expressions"`
	Actions     []policyAction `json:"actions"`
}

// policyAction is an EndpointAction. The set of types is open, so config is
// stored unchanged.
type policyAction struct {
	Type   string          `json:"type"`
	Config json.RawMessage `json:"config"`
}

// Limits of a policy.
const (
	maxRules       = 100 // in each direction
	maxExpressions = 16  // in each rule
)

// Refers returns the ids of the IP policies that restrict-ips uses.
func (p *policy) Refers() (ids []string) {
	if p == nil {
		return nil
	}
	for _, rule := range p.Inbound {
		for _, action := range rule.Actions {
			var config struct {
				Policies []string `json:"ip_policies"`
			}
			if action.Type == "restrict-ips" && json.Unmarshal(action.Config, &config) == nil {
				ids = append(ids, config.Policies...)
			}
		}
	}
	return ids
}

func (s *Service) readPolicy(in *body.Object) *policy {
	p := &policy{
		Enabled:  orExisting(in.Flag("enabled"), true),
		Inbound:  orEmpty(s.policyRules(in, "inbound")),
		Outbound: s.policyRules(in, "outbound"),
	}
	if len(p.Outbound) == 0 {
		p.Outbound = nil
	}
	return p
}

func (s *Service) policyRules(in *body.Object, direction string) []policyRule {
	objects := in.NestedList(direction)
	in.Rule(len(objects) <= maxRules, direction, "too many %s rules: expected at most %d, found %d", direction, maxRules, len(objects))
	var rules []policyRule
	for _, rule := range objects {
		rules = append(rules, policyRule{
			Name:        orExisting(rule.Text("name"), ""),
			Expressions: celExpressions(rule),
			Actions:     s.policyActions(rule, direction),
		})
		rule.RefuseUnknown()
	}
	return rules
}

// celExpressions reads the expressions of a rule. It checks only their syntax,
// because the variables are specific to the service.
func celExpressions(rule *body.Object) []string {
	expressions := orEmpty(rule.Texts("expressions"))
	tooMany := len(expressions) > maxExpressions
	rule.Rule(!tooMany, "expressions", "too many expressions: expected at most %d, found %d", maxExpressions, len(expressions))
	for i, expression := range expressions {
		if rule.Failed() || rule.Forced() {
			break
		}
		rule.Rule(parsesAsCEL(expression), body.Element("expressions", i), "invalid CEL expression %s", problem.Printable(expression))
	}
	return expressions
}

func parsesAsCEL(expression string) bool {
	p, err := parser.NewParser(parser.Macros(parser.AllMacros...), parser.EnableOptionalSyntax(true))
	if err != nil {
		return false
	}
	_, problems := p.Parse(celcommon.NewTextSource(expression))
	return len(problems.GetErrors()) == 0
}

var actionType = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

func (s *Service) policyActions(rule *body.Object, direction string) []policyAction {
	objects := rule.NestedList("actions")
	rule.Rule(len(objects) > 0, "actions", "a rule must have at least one action")
	actions := []policyAction{}
	for i, in := range objects {
		action := policyAction{Type: in.Required("type"), Config: in.RawObject("config")}
		if action.Type == "deny" && string(action.Config) == "{}" {
			action.Config = nil
		}
		s.checkAction(in, action, direction)
		in.RefuseUnknown()
		rule.Rule(i == 0 || actions[i-1].Type != "deny", body.Element("actions", i), "unreachable action: deny must be the last action")
		actions = append(actions, action)
	}
	return actions
}

// checkAction applies the validation rules for each type of action.
func (s *Service) checkAction(in *body.Object, action policyAction, direction string) {
	in.Rule(actionType.MatchString(action.Type), "type",
		"invalid action type: expected lowercase letters, digits and hyphens, starting with a letter")
	switch action.Type {
	case "deny":
		in.Rule(direction == "inbound", "type", "the action deny is only allowed in inbound rules")
	case "restrict-ips":
		in.Rule(direction == "inbound", "type", "the action restrict-ips is only allowed in inbound rules")
		s.checkRestriction(in)
	case "log":
		config, _ := in.Values["config"].(map[string]any)
		metadata, given := config["metadata"]
		_, isObject := metadata.(map[string]any)
		in.Rule(!given || isObject, "config.metadata", "metadata of the action log must be an object")
	}
}

// checkRestriction refuses addresses and IP policies in the config of restrict-ips that
// are not valid or do not exist.
func (s *Service) checkRestriction(in *body.Object) {
	config, _ := in.Values["config"].(map[string]any)
	for _, name := range []string{"allow", "deny", "ip_policies"} {
		values, _ := config[name].([]any)
		for i, value := range values {
			text, _ := value.(string)
			field := "config." + body.Element(name, i)
			if name == "ip_policies" {
				s.checkIPPolicy(in, field, text)
				continue
			}
			_, ok := keys.Range(text)
			ok = ok || strings.Contains(text, "${") // computed by a CEL expression, for each connection
			in.Rule(ok, field, "invalid IP range: expected a value such as 192.0.2.0/24")
		}
	}
}
