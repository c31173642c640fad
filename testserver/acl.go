package testserver

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// aclRules reads the ACL of a request. It returns nil if the request has no
// ACL.
func aclRules(in *object) []string {
	rules := in.texts("acl")
	for i, rule := range rules {
		in.rule(validACLRule(rule), element("acl", i), "invalid ACL rule %s: expected *, bind:<domain>, bind:*.<domain-suffix>, "+
			"bind:<host>:<port> or bind:<key>=<value>", printable(rule))
	}
	return rules
}

// validACLRule reports whether a rule has one of the forms in the API
// documentation.
func validACLRule(rule string) bool {
	target, isBind := strings.CutPrefix(rule, "bind:")
	if !isBind {
		return rule == "*"
	}
	if key, value, isLabel := strings.Cut(target, "="); isLabel {
		return key != "" && value != "" && !strings.Contains(value, "=")
	}
	if i := strings.LastIndexByte(target, ':'); i >= 0 {
		return validHost(target[:i]) && validPort(target[i+1:])
	}
	return target == "*" || validDomain(strings.TrimPrefix(target, "*."))
}

// validHost reports whether host is a domain, an IPv4 address or an IPv6
// address in brackets.
func validHost(host string) bool {
	inner, bracketed := strings.CutPrefix(host, "[")
	if !bracketed {
		return validDomain(host)
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
	return err == nil && strings.HasSuffix(inner, "]") && address.Is6() && address.Zone() == ""
}

// validHostport reports whether text is a host and port. The host has the same
// form as in an ACL rule and can start with *.
func validHostport(text string) bool {
	colon := strings.LastIndexByte(text, ':')
	return colon >= 0 && validHost(strings.TrimPrefix(text[:colon], "*.")) && validPort(text[colon+1:])
}

func validPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0 && text[0] != '0'
}

var domainLabel = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

// maxDomain is the maximum length of a domain name in characters.
const maxDomain = 253

func validDomain(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if !domainLabel.MatchString(label) {
			return false
		}
	}
	return len(name) <= maxDomain
}
