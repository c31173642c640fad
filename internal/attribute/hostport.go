package attribute

import (
	"errors"
	"fmt"
	"strings"
)

// Hostport is a validator of a host and port, such as www.example.com:443.
var Hostport = Check("a host and port, such as www.example.com:443", CheckHostport)

// CheckHostport says why a text is not of the form host:port. The host can be a
// domain, *. and a domain, an IPv4 address, or an IPv6 address in brackets; the
// port is 1 to 65535.
func CheckHostport(text string) error {
	host, port, ok := cutLast(text, ":")
	err := errors.New("has no port")
	if ok {
		err = checkHostPort(strings.TrimPrefix(host, "*."), port)
	}
	if err != nil {
		return fmt.Errorf("%w: expected host:port, such as www.example.com:443; found %q", err, text)
	}
	return nil
}
