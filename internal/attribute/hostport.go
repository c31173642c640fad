package attribute

import (
	"errors"
	"net"
	"strings"
)

// Hostport is the validator of a host and port, such as www.example.com:443. The API
// documentation does not state its form.
var Hostport = Limit("a host and port, such as www.example.com:443", func(text string) error { return named(text, CheckHostport(text)) })

// CheckHostport returns an error if text is not of the form host:port. The host
// can be a domain, *. and a domain, an IPv4 address, or an IPv6 address in
// brackets. The port is 1 to 65535. The error does not repeat the text.
func CheckHostport(text string) error { return checkHostport(text, domainName) }

// FullHost warns about a host that is not a full domain, such as www:443.
var FullHost = misspelled("Unusual host", "a host with a full domain", func(text string) error {
	host, _, _ := cutLast(text, ":")
	if checkHostport(text, hostText) == nil && isDomain(host) && !strings.Contains(host, ".") {
		return named(text, errors.New("has a host with one label. Expected a full domain, such as www.example.com:443"))
	}
	return nil
})

func checkHostport(text string, isName nameRule) error {
	host, port, ok := cutLast(text, ":")
	domain, wildcard := strings.CutPrefix(host, "*.")
	reason := ""
	switch {
	case text == "":
		reason = "found an empty string"
	case strings.Contains(text, ","):
		reason = "found a comma" + splitCommas
	case strings.Contains(text, "://"):
		reason = "found a URL. Remove the scheme and the path"
	case ok && strings.Contains(port, "/"):
		reason = "found a path. Remove the path after the port"
	case !ok:
		reason = "found no port"
	case strings.Contains(domain, "*"):
		reason = "a wildcard must be the whole first label of a domain"
	case wildcard && (domain == "" || net.ParseIP(strings.Trim(domain, "[]")) != nil):
		reason = "a wildcard must be followed by a domain"
	default:
		err := checkHostPort(domain, port, isName)
		if err == nil {
			return nil
		}
		reason = err.Error()
	}
	return errors.New("must have the form host:port, such as www.example.com:443, *.example.com:443 or 1.tcp.example.com:20001; " + reason)
}
