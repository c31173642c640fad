package attribute

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// Hostport are the validators of a host and port, such as www.example.com:443:
// its form, and the characters of the host, which the API documentation does
// not state.
var Hostport = []validator.String{
	Check("a host and port, such as www.example.com:443", func(text string) error { return checkHostport(text, isHostText) }),
	Limit("a valid host", func(text string) error {
		if checkHostport(text, isHostText) != nil {
			return nil // already reported by the validation of the configuration
		}
		return CheckHostport(text)
	}),
}

// CheckHostport returns an error if text is not of the form host:port. The host
// can be a domain, *. and a domain, an IPv4 address, or an IPv6 address in
// brackets. The port is 1 to 65535.
func CheckHostport(text string) error { return checkHostport(text, isDomain) }

func checkHostport(text string, isName func(string) bool) error {
	host, port, ok := cutLast(text, ":")
	domain, wildcard := strings.CutPrefix(host, "*.")
	var reason error
	switch {
	case text == "":
		reason = errors.New("an empty string")
	case strings.Contains(text, ","):
		reason = fmt.Errorf("a comma: %s%s", quote.Value(text), splitCommas)
	case strings.Contains(text, "://"):
		reason = fmt.Errorf("a URL: %s. Remove the scheme and the path", quote.Value(text))
	case ok && strings.Contains(port, "/"):
		reason = fmt.Errorf("a path: %s. Remove the path after the port", quote.Value(text))
	case !ok:
		reason = fmt.Errorf("no port: %s", quote.Value(text))
	case strings.Contains(domain, "*"):
		reason = fmt.Errorf("%s: a wildcard must be the whole first label of a domain", quote.Value(text))
	case wildcard && net.ParseIP(strings.Trim(domain, "[]")) != nil:
		reason = fmt.Errorf("%s: a wildcard must be followed by a domain", quote.Value(text))
	default:
		err := checkHostPort(domain, port, isName)
		if err == nil {
			return nil
		}
		reason = fmt.Errorf("%s: %w", quote.Value(text), err)
	}
	return fmt.Errorf(
		"must have the form host:port, such as www.example.com:443 or *.example.com:443, with a port from 1 to 65535; found %w", reason,
	)
}
