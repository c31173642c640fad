package attribute

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ACLRule validates a rule of an SSH credential's ACL.
var ACLRule = Check("an ACL rule", CheckACLRule)

// EveryAction is the ACL rule that permits everything.
const EveryAction = "*"

// OptionalACL returns the state of an optional ACL for the service's response.
//
// An empty ACL and an ACL with the rule * mean the same, and a service may return
// one for the other. If both the response and the known value are unrestricted,
// the known value is kept. If the response is unrestricted and the known value is
// null or unknown, the result is null. Otherwise the result is the response, or
// null if the response is empty.
func OptionalACL(known types.Set, answer []string) types.Set {
	if !isOpen(answer) {
		return SetOf(answer)
	}
	switch {
	case Known(known) && isOpen(Strings(known)):
		return known
	case Known(known):
		return OptionalSet(known, answer)
	}
	return types.SetNull(types.StringType)
}

// isOpen reports whether an ACL has no restrictions.
func isOpen(rules []string) bool { return len(rules) == 0 || slices.Contains(rules, EveryAction) }

const aclForm = "expected bind:<domain>, bind:*.<domain suffix>, bind:<host>:<port>, bind:<key>=<value> (key and value may be *), bind:* or *"

var portNumber = regexp.MustCompile(`^[1-9][0-9]{0,4}$`)

// CheckACLRule returns an error if rule is not a valid ACL rule.
func CheckACLRule(rule string) error {
	if rule == EveryAction {
		return nil
	}
	target, ok := strings.CutPrefix(rule, "bind:")
	if !ok {
		return fmt.Errorf("is not a valid ACL rule: %s; found %q", aclForm, rule)
	}
	var err error
	host, port, hasPort := cutLast(target, ":")
	switch key, value, isLabel := strings.Cut(target, "="); {
	case isLabel:
		err = checkLabel(key, value)
	case hasPort:
		err = checkHostPort(host, port)
	case target != "*" && !isDomain(strings.TrimPrefix(target, "*.")):
		err = errors.New("invalid domain; a wildcard must be the whole first label")
	}
	if err != nil {
		return fmt.Errorf("is not a valid ACL rule (%w): %s; found %q", err, aclForm, rule)
	}
	return nil
}

func checkLabel(key, value string) error {
	if key == "" || value == "" {
		return errors.New("empty label key or value; use * to match any")
	}
	if strings.Contains(value, "=") {
		return errors.New("more than one equals sign")
	}
	return nil
}

func checkHostPort(host, port string) error {
	inside, bracketed := strings.CutPrefix(host, "[")
	if inside, closed := strings.CutSuffix(inside, "]"); bracketed && closed {
		if address, err := netip.ParseAddr(inside); err != nil || !address.Is6() || address.Zone() != "" {
			return errors.New("invalid IPv6 address in brackets")
		}
	} else if strings.Contains(host, ":") {
		return errors.New("missing brackets around the IPv6 address")
	} else if !isDomain(host) {
		return errors.New("invalid domain or IP address before the port; a wildcard cannot be combined with a port")
	}
	if !portNumber.MatchString(port) || len(port) == 5 && port > "65535" {
		return errors.New("the port must be from 1 to 65535")
	}
	return nil
}

func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}
