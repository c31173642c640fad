package traffic

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/ext"
)

// denied reports whether rules of a policy close the connection, and sets the answer.
func (d *decision) denied(edge string, rules []policyRule) bool {
	for i, rule := range rules {
		place := fmt.Sprintf("inbound[%d]", i)
		if rule.Name != "" {
			place += fmt.Sprintf(" (%q)", rule.Name)
		}
		if slices.ContainsFunc(rule.Expressions, func(text string) bool { return !d.isTrue(text) }) {
			continue
		}
		for _, action := range rule.Actions {
			switch {
			case action.Type == "deny", action.Type == "restrict-ips" && d.restricted(action.Config):
				d.stop(edge, "%s closes the connection by %s", place, action.Type)
				d.refuse(403, "refused by a rule of the policy")
				return true
			case action.Type == "log":
				d.Target.Logged = append(d.Target.Logged, action.Config)
			case action.Type != "restrict-ips":
				d.assume("the action " + action.Type + " lets connections pass")
			}
		}
	}
	return false
}

// ipConfig is the config of restrict-ips.
type ipConfig struct {
	Enforce  *bool    `json:"enforce"`
	Allow    []string `json:"allow"`
	Deny     []string `json:"deny"`
	Policies []string `json:"ip_policies"`
}

// restricted reports whether restrict-ips refuses the client.
func (d *decision) restricted(text json.RawMessage) bool {
	var config ipConfig
	if len(text) > 0 && json.Unmarshal(text, &config) != nil {
		d.assume("restrict-ips with a config of another form refuses everybody")
		return true
	}
	if config.Enforce != nil && !*config.Enforce {
		return false
	}
	has := func(ranges []string) bool {
		return slices.ContainsFunc(ranges, func(text string) bool {
			if strings.Contains(text, "${") {
				d.assume("a computed range of restrict-ips has no address")
			}
			return parseRange(text).Contains(d.Client)
		})
	}
	if has(config.Deny) {
		return true
	}
	return !has(config.Allow) && (len(config.Policies) == 0 || !d.allowed(config.Policies))
}

// isTrue reports whether an expression is true for the connection.
func (d *decision) isTrue(expression string) bool {
	program, err := programOf(expression)
	if err == nil {
		conn := map[string]any{"client_ip": d.Client.String()}
		if d.Protocol == "tls" {
			conn["tls"] = map[string]any{"sni": d.Host}
		}
		var value ref.Val
		if value, _, err = program.Eval(map[string]any{"conn": conn, "now": d.Now}); err == nil {
			if result, ok := value.(types.Bool); ok {
				return bool(result)
			}
		}
	}
	return !d.assume("cel_error_is_false")
}

const (
	maxCost     = 100_000
	maxPrograms = 10_000
)

var programs = struct {
	sync.Mutex
	of map[string]cel.Program
}{of: map[string]cel.Program{}}

// programOf returns the program of an expression. It is not type-checked, because only
// the service knows all variables and functions.
func programOf(expression string) (cel.Program, error) {
	programs.Lock()
	defer programs.Unlock()
	if known, ok := programs.of[expression]; ok {
		return known, nil
	}
	env, err := environment()
	if err != nil {
		return nil, err
	}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	program, err := env.Program(parsed, cel.CostLimit(maxCost))
	if err != nil {
		return nil, err
	}
	if len(programs.of) == maxPrograms {
		clear(programs.of)
	}
	programs.of[expression] = program
	return program, nil
}

var environment = sync.OnceValues(func() (*cel.Env, error) {
	text, texts := cel.StringType, cel.ListType(cel.StringType)
	return cel.NewEnv(
		ext.Strings(), cel.OptionalTypes(),
		cel.Function("inCidrRange", cel.Overload("in_cidr_range", []*cel.Type{text, text}, cel.BoolType, cel.BinaryBinding(inCIDRRange))),
		cel.Function("inCidrRanges", cel.Overload("in_cidr_ranges", []*cel.Type{text, texts}, cel.BoolType, cel.BinaryBinding(inCIDRRanges))),
	)
})

// inCIDRRange reports whether an address is in a range. An invalid range has none.
func inCIDRRange(ip, cidr ref.Val) ref.Val {
	address, err := netip.ParseAddr(fmt.Sprint(ip.Value()))
	if err != nil {
		return types.NewErr("inCidrRange: %q is not an IP address", ip.Value())
	}
	return types.Bool(parseRange(fmt.Sprint(cidr.Value())).Contains(address))
}

// inCIDRRanges reports whether an address is in one of several ranges.
func inCIDRRanges(ip, cidrs ref.Val) ref.Val {
	ranges, err := cidrs.ConvertToNative(reflect.TypeFor[[]string]())
	if err != nil {
		return types.NewErr("inCidrRanges: expected a list of strings")
	}
	for _, cidr := range ranges.([]string) {
		if found := inCIDRRange(ip, types.String(cidr)); found != types.False {
			return found
		}
	}
	return types.False
}
