// Package keys parses and checks what has a grammar of its own: certificates and
// private keys in PEM, SSH public keys, ACL rules, host names and ports. It uses
// body, to read such a value of a request, and problem. Stored objects, and
// errors that contain the value, must stay out: it can be a private key.
package keys

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// ReadACL reads the ACL of a request. It returns nil if the request has no
// ACL.
func ReadACL(in *body.Object) []string {
	rules := in.Texts("acl")
	for i, rule := range rules {
		in.Rule(validACLRule(rule), body.Element("acl", i), "invalid ACL rule %s: expected *, bind:<domain>, bind:*.<domain-suffix>, "+
			"bind:<host>:<port> or bind:<key>=<value>", problem.Printable(rule))
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
	return target == "*" || ValidDomain(strings.TrimPrefix(target, "*."))
}

// Range returns an IP address without a zone or a range of them as a range from its first
// address.
func Range(text string) (_ netip.Prefix, ok bool) {
	if address, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(address, address.BitLen()), address.Zone() == ""
	}
	prefix, err := netip.ParsePrefix(text)
	return prefix.Masked(), err == nil
}

// validHost reports whether host is a domain, an IPv4 address or an IPv6
// address in brackets.
func validHost(host string) bool {
	inner, bracketed := strings.CutPrefix(host, "[")
	if !bracketed {
		return ValidDomain(host)
	}
	address, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
	return err == nil && strings.HasSuffix(inner, "]") && address.Is6() && address.Zone() == ""
}

// ValidHostport reports whether text is a host and port. The host has the same
// form as in an ACL rule and can start with *.
func ValidHostport(text string) bool {
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

// ValidDomain reports whether name is a domain name without a wildcard.
func ValidDomain(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if !domainLabel.MatchString(label) {
			return false
		}
	}
	return len(name) <= maxDomain
}
