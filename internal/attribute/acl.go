package attribute

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// ACLRules are the validators of a rule of an SSH credential's ACL: its
// grammar, and the characters of domains, which the API contract does not
// state.
var ACLRules = []validator.String{
	Check("an ACL rule", func(rule string) error { return named(rule, checkACLRule(rule, hostText)) }),
	Limit("a domain in an ACL rule", func(rule string) error {
		if checkACLRule(rule, hostText) != nil {
			return nil // already reported by the validation of the configuration
		}
		return named(rule, CheckACLRule(rule))
	}),
	misspelled("Unusual ACL rule", "a rule that a client can match", func(rule string) error { return named(rule, checkACLMeaning(rule)) }),
}

// checkACLMeaning returns an error about a valid rule that surely means something else.
func checkACLMeaning(rule string) error {
	target := strings.TrimPrefix(rule, "bind:")
	key, value, isLabel := strings.Cut(target, "=")
	switch {
	case isLabel && (key != strings.TrimSpace(key) || value != strings.TrimSpace(value)):
		return fmt.Errorf("has white space beside the equals sign, as a part of the label. Write bind:%s=%s",
			quote.Bare(strings.TrimSpace(key)), quote.Bare(strings.TrimSpace(value)))
	case IsPort(target):
		return fmt.Errorf("is for a host whose name is %s. For a port, write its host, too: bind:<host>:%[1]s", target)
	}
	return nil
}

// named returns an error about an element of a list that shows the element.
func named(element string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("(%s) %w", quote.Value(element), err)
}

// EveryAction is the ACL rule that permits everything.
const EveryAction = "*"

// OptionalACL returns the state of an optional ACL for the service's response.
//
// An empty ACL and an ACL with the rule * mean the same, and a service may
// return one for the other. If both the response and the known value are
// unrestricted, the known value is kept. If the response is unrestricted and
// the known value is null or unknown, the result is empty.
func OptionalACL(known types.List, answer []string) types.List {
	switch {
	case isOpen(answer) && IsKnown(known) && isOpen(Strings(known)):
		return known
	case isOpen(answer) && !IsKnown(known):
		answer = nil
	}
	return ACLRuleType{}.Fill(known, answer)
}

// KeepSameACL returns a plan modifier that keeps the state's ACL if the planned
// rules have the same meanings. Without rules that have no effect, an empty ACL and one
// with the rule * are the same.
func KeepSameACL() planmodifier.List { return keepSameACL{} }

type keepSameACL struct{ keepElements[aclRule] }

func (k keepSameACL) PlanModifyList(ctx context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	k.keepElements.PlanModifyList(ctx, req, resp)
	planned, state := Strings(req.PlanValue), Strings(req.StateValue)
	if len(planned) < 2 && len(state) < 2 && isOpen(planned) && isOpen(state) && IsKnown(req.PlanValue) && IsKnown(req.StateValue) {
		resp.PlanValue = req.StateValue
	}
}

// isOpen reports whether an ACL has no restrictions.
func isOpen(rules []string) bool { return len(rules) == 0 || slices.Contains(rules, EveryAction) }

const aclForm = "Expected bind:<domain>, bind:*.<domain suffix>, bind:<host>:<port>, bind:<key>=<value> (key and value may be *), " +
	"bind:* or *"

var portNumber = regexp.MustCompile(`^[1-9][0-9]{0,4}$`)

// IsPort reports whether text is a port: a number from 1 to 65535.
func IsPort(text string) bool {
	return portNumber.MatchString(text) && (len(text) < 5 || text <= "65535")
}

// CheckACLRule returns an error if rule is not a valid ACL rule. The error does
// not repeat the rule.
func CheckACLRule(rule string) error { return checkACLRule(rule, domainName) }

// checkACLRule is CheckACLRule with a rule for domains.
func checkACLRule(rule string, isName nameRule) error {
	if reason := aclError(rule, isName); reason != nil {
		return fmt.Errorf("is not a valid ACL rule: %w. %s", reason, aclForm)
	}
	return nil
}

func aclError(rule string, isName nameRule) error {
	target, isBind := strings.CutPrefix(rule, "bind:")
	host, port, hasPort := cutLast(target, ":")
	key, value, isLabel := strings.Cut(target, "=")
	switch {
	case rule == EveryAction:
		return nil
	case rule == "":
		return errors.New("it is empty")
	case isBind && isLabel && !strings.Contains(rule, ",bind:"):
		return checkLabel(key, value)
	case strings.Contains(rule, ","):
		return errors.New(`it contains a comma. Write each rule as a separate element, such as ["bind:a.example.com", "bind:b.example.com"]`)
	case strings.ContainsFunc(rule, isBlank):
		return errors.New("it contains white space")
	case strings.EqualFold(strings.SplitN(rule, ":", 2)[0], "bind") && !isBind:
		return errors.New(`it must begin with "bind:" in lower case, followed by what can be bound`)
	case !isBind:
		return errors.New(`it does not begin with "bind:", the only kind of rule`)
	case target == "":
		return errors.New(`nothing follows "bind:"`)
	case strings.Contains(target, "://"):
		return errors.New("it contains a URL. Remove the scheme (such as https://) and the path")
	case strings.Contains(target, "/"):
		return errors.New("it contains a slash. Paths and CIDR ranges are not supported")
	case hasPort:
		return checkHostPort(host, port, isName)
	case target == "*":
		return nil
	case target == "*.":
		return errors.New(`a domain must follow "*."`)
	}
	domain := strings.TrimPrefix(target, "*.")
	if strings.Contains(domain, "*") {
		return errors.New("a wildcard must be the whole first label")
	}
	return isName(domain)
}

func checkLabel(key, value string) error {
	if key == "" || value == "" {
		return errors.New("empty label key or value; use * to match any")
	}
	if strings.Contains(value, "=") {
		return errors.New("more than one equals sign. Write a rule for each label")
	}
	return nil
}

// checkHostPort returns an error if host is neither a domain nor an IP address,
// or if port is not a port number.
func checkHostPort(host, port string, isName nameRule) error {
	inner, bracketed := strings.CutPrefix(host, "[")
	if inner, closed := strings.CutSuffix(inner, "]"); bracketed && closed {
		if address, err := netip.ParseAddr(inner); err != nil || !address.Is6() || address.Zone() != "" {
			return errors.New("invalid IPv6 address in brackets")
		}
	} else if name, _, two := strings.Cut(host, ":"); two && strings.Count(host, ":") == 1 && name != "" {
		if bracketed && strings.HasSuffix(port, "]") {
			return errors.New("the port after the brackets is missing")
		}
		return errors.New("found two ports. Remove one of them")
	} else if two {
		return errors.New("missing brackets around the IPv6 address")
	} else if strings.Contains(host, "*") {
		return errors.New("a wildcard cannot be combined with a port")
	} else if err := isName(host); err != nil {
		return err
	}
	switch {
	case IsPort(port):
		return nil
	case strings.ContainsFunc(port, isBlank):
		return errors.New("it contains white space. Remove it")
	case !digits.MatchString(port):
		return errors.New("the port must be a number, such as 443")
	}
	return errors.New("the port must be from 1 to 65535, without leading zeros")
}

func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}
