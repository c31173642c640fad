package attribute

import (
	"net/netip"
	"strings"
)

// HostportType is the type of a host and port. Two of them are the same if
// their hosts are the same: names are compared without case, and IPv6 addresses
// by value.
type HostportType = Type[hostport]

// HostportFormat is the format of HostportType.
var HostportFormat Format = hostport{}

type hostport struct{ sameHosts }

func (hostport) Name() string { return "host and port" }

func (hostport) Check(text string) error { return checkHostport(text, hostText) }

// PrincipalType is the type of a principal of an SSH host certificate. They are
// compared like the hosts of HostportType.
type PrincipalType = Type[principal]

type principal struct{ sameHosts }

func (principal) Name() string { return "principal" }

func (principal) Check(string) error { return nil }

// ACLRuleType is the type of an ACL rule. Two rules are the same if they permit
// the same: hosts are compared like those of HostportType, keys and values of
// labels exactly.
type ACLRuleType = Type[aclRule]

type aclRule struct{}

func (aclRule) Name() string { return "ACL rule" }

func (aclRule) Check(text string) error { return checkACLRule(text, hostText) }

func (r aclRule) Same(a, b string) bool { return r.Meaning(a) == r.Meaning(b) }

// Meaning returns a text that is equal for rules that permit the same.
func (aclRule) Meaning(rule string) string {
	target, binds := strings.CutPrefix(rule, "bind:")
	if !binds || strings.Contains(rule, "=") {
		return rule
	}
	return "bind:" + sameHost(target)
}

// sameHosts is the meaning of formats that have a host.
type sameHosts struct{}

func (sameHosts) Same(a, b string) bool { return sameHost(a) == sameHost(b) }

func (sameHosts) Meaning(text string) string { return sameHost(text) }

// sameHost returns a text that is equal for the same host with the same port:
// names in punycode and lower case without a dot at the end, and addresses in
// their shortest notation.
func sameHost(text string) string {
	if address, err := netip.ParseAddr(text); err == nil {
		return address.String()
	}
	if host, port, ok := strings.Cut(strings.TrimPrefix(text, "["), "]"); ok && strings.HasPrefix(text, "[") {
		if address, err := netip.ParseAddr(host); err == nil {
			return "[" + address.String() + "]" + port
		}
	}
	host, port, withPort := cutLast(text, ":")
	if !withPort {
		host = text
	}
	return strings.ToLower(asciiHost(host) + ":" + port)
}
