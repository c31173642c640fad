// Package policy decides offline what a traffic policy does with a connection.
// It does not guess: where the API documentation, the policy or the connection
// leave the result open, the decision is undetermined, with the reason.
package policy

import (
	"context"
	"fmt"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// Policy is the traffic policy of an edge.
type Policy struct {
	Disabled          bool
	Inbound, Outbound []Rule
}

// Rule is a rule of a policy.
type Rule struct {
	Name        string
	Expressions []string
	Actions     []Action
}

// Action is an action of a rule. Config is a JSON object, or "".
type Action struct {
	Type   string
	Config string
}

// The possible decisions.
const (
	Deny         = "deny"
	Allow        = "allow"
	Undetermined = "undetermined"
)

// Decision is what a policy does with a connection.
type Decision struct {
	// Decision is Deny, Allow or Undetermined.
	Decision string
	// Rule is the rule that denies the connection. It is nil if no rule does,
	// or if several rules may.
	Rule *RuleID
	// Matched are the rules that certainly apply, in order, up to the one that
	// denies the connection.
	Matched []RuleID
	// Missing are the variables, functions ("name()") and action types
	// ("action name") that the decision needs and that are not known.
	Missing []string
	// Reason explains the decision.
	Reason string
}

// RuleID identifies a rule of one direction.
type RuleID struct {
	Index int
	Name  string
}

// Decide returns what a policy does with a connection. The direction is
// "inbound" or "outbound". The connection holds the variables of expressions:
// maps, slices, strings, booleans, numbers (int64 and float64) and times.
// Variables that are missing or nil are not known. What takes too long to
// evaluate, and what is left when the context is canceled, is undetermined.
func Decide(ctx context.Context, p Policy, direction string, connection map[string]any) Decision {
	if p.Disabled {
		return Decision{Decision: Allow, Reason: "the policy is disabled (enabled = false)"}
	}
	rules := p.Inbound
	if direction == "outbound" {
		rules = p.Outbound
	}
	evaluation := newEvaluator(ctx, connection)
	var result Decision
	var gaps []gap      // why the connection may be denied or allowed before the current rule
	var before outcomes // what may have happened before the current rule
	for i, rule := range rules {
		id := RuleID{i, rule.Name}
		applies, open := evaluation.matches(rule.Expressions)
		if applies == no {
			continue
		}
		if applies == yes {
			result.Matched = append(result.Matched, id)
		}
		does, unsure := run(rule.Actions, connection)
		if does == (outcomes{pass: true}) { // the rule only logs
			continue
		}
		if applies == yes && does == (outcomes{deny: true}) {
			result.Reason = place(direction, id) + " denies the connection"
			if !before.allow {
				result.Decision = Deny
				if !before.deny {
					result.Rule = &id
				}
				return result
			}
			break
		}
		before.deny, before.allow = before.deny || does.deny, before.allow || does.allow
		for _, d := range append(open, unsure...) {
			d.reason = place(direction, id) + ": " + d.reason
			gaps = append(gaps, d)
		}
	}
	if !before.deny {
		result.Decision, result.Reason = Allow, "no rule denies the connection"
		return result
	}
	result.Decision = Undetermined
	reasons := make([]string, len(gaps))
	missing := map[string]bool{}
	for i, d := range gaps {
		reasons[i] = d.reason
		for _, name := range d.missing {
			if !missing[name] {
				missing[name] = true
				result.Missing = append(result.Missing, name)
			}
		}
	}
	if more := len(reasons) - mostReasons; more > 0 {
		reasons = append(reasons[:mostReasons], fmt.Sprintf("and %d more", more))
	}
	result.Reason = strings.Join(reasons, "; ")
	return result
}

// mostReasons is the maximum number of reasons in an explanation.
const mostReasons = 20

// place returns the place of a rule, such as inbound[0] ("deny all").
func place(direction string, id RuleID) string {
	text := fmt.Sprintf("%s[%d]", direction, id.Index)
	if id.Name != "" {
		text += fmt.Sprintf(" (%s)", quote.Value(id.Name))
	}
	return text
}

// A gap is a reason why something is not determined.
type gap struct {
	reason  string
	missing []string
}

// notKnown returns the gap of names that a connection lacks. It says if a connection has
// one that cannot be evaluated, or a member of conn outside of conn.
func notKnown(connection map[string]any, missing ...string) *gap {
	verb, hint := " is not known", ""
	if len(missing) > 1 {
		verb = " are not known"
	}
	for _, name := range missing {
		path := strings.Split(name, ".")
		if has(connection, path) {
			return &gap{
				name + " is in the connection, but is a map, or a list with maps, lists or nulls, which this function does not evaluate", missing,
			}
		}
		if len(path) > 1 && path[0] == "conn" && connection["conn"] == nil && connection[path[1]] != nil && hint == "" {
			hint = fmt.Sprintf(": the connection has %[1]s outside of conn; use { conn = { %[1]s = ... } }", path[1])
		}
	}
	return &gap{strings.Join(missing, ", ") + verb + hint, missing}
}

// has reports whether a connection has a value at a path.
func has(connection map[string]any, path []string) bool {
	value := connection[path[0]]
	if members, ok := value.(map[string]any); ok && len(path) > 1 {
		return has(members, path[1:])
	}
	return value != nil && len(path) == 1
}

// outcomes are the possible outcomes of actions: they deny the connection,
// allow it without the following rules, or pass it to the next rule.
type outcomes struct{ deny, allow, pass bool }

// run returns the possible outcomes of the actions of a rule that applies.
func run(actions []Action, connection map[string]any) (possible outcomes, gaps []gap) {
	for i, action := range actions {
		var found *gap
		switch action.Type {
		case "log":
			continue
		case "deny":
			possible.deny = true
			return possible, gaps
		case "restrict-ips":
			var permitted truth
			permitted, found = restrict(action.Config, connection)
			if permitted == no {
				possible.deny = true
				return possible, gaps
			}
			possible.deny = possible.deny || permitted == maybe
		default:
			possible.deny, possible.allow = true, true
			found = &gap{fmt.Sprintf("the action %s is not known", quote.Value(action.Type)), []string{"action " + quote.Foreign(action.Type)}}
		}
		if found != nil {
			found.reason = fmt.Sprintf("actions[%d]: %s", i, found.reason)
			gaps = append(gaps, *found)
		}
	}
	possible.pass = true
	return possible, gaps
}

// truth is a value of three-valued logic.
type truth int

const (
	no truth = iota
	yes
	maybe
)

// matches reports whether a rule applies to a connection. The API documentation
// does not define whether all or any of several expressions must be true, so
// the result is known only if it is the same either way.
func (e *evaluator) matches(expressions []string) (truth, []gap) {
	if len(expressions) == 0 {
		return yes, nil
	}
	var gaps []gap
	count := map[truth]int{}
	for i, expression := range expressions {
		result, found := e.evaluate(expression)
		count[result]++
		if found != nil {
			found.reason = fmt.Sprintf("expressions[%d]: %s", i, found.reason)
			gaps = append(gaps, *found)
		}
	}
	switch len(expressions) {
	case count[yes]:
		return yes, nil
	case count[no]:
		return no, nil
	}
	if count[yes] > 0 && count[no] > 0 {
		return maybe, []gap{
			{
				reason: "some expressions are true and some are false, and the API documentation does not define how they are combined: use one " +
					"expression with && or ||",
			},
		}
	}
	return maybe, gaps
}
