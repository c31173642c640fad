package attribute

import (
	"fmt"
	"net"
	"strings"
)

// Hostport validates a host and port, such as www.example.com:443.
var Hostport = Check("a host and port, such as www.example.com:443", CheckHostport)

// CheckHostport returns an error if text is not of the form host:port. The host
// can be a domain, *. and a domain, an IPv4 address, or an IPv6 address in
// brackets. The port is 1 to 65535.
func CheckHostport(text string) error {
	host, port, ok := cutLast(text, ":")
	domain, wildcard := strings.CutPrefix(host, "*.")
	if ok && checkHostPort(domain, port) == nil && (!wildcard || isDomain(domain) && net.ParseIP(domain) == nil) {
		return nil
	}
	return fmt.Errorf("must have the form host:port, such as www.example.com:443 or *.example.com:443, with a port from 1 to 65535; found %q", text)
}
