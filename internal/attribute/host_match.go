package attribute

import (
	"crypto/x509"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// hostLabel allows underscores, because host names in private networks can
// contain them.
var hostLabel = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$`)

// CheckHost returns an error if text is neither a host name nor an IP address
// that a certificate can be valid for.
func CheckHost(text string) error {
	if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
		return nil
	}
	if strings.Contains(text, "*") {
		return fmt.Errorf("must be a single host without wildcards, such as www.example.com; found %s", quote.Value(text))
	}
	if strings.Contains(text, "://") {
		return fmt.Errorf("must be a hostname such as www.example.com, or an IP address; found the URL %s. Remove the scheme and the path",
			quote.Value(text))
	}
	if !labels(asciiHost(text), hostLabel) {
		return fmt.Errorf("must be a hostname such as www.example.com, or an IP address; found %s", quote.Value(text))
	}
	return nil
}

// CheckCovered returns an error if a certificate cannot cover a text: it is neither a
// host name or IP address nor a domain with a wildcard.
func CheckCovered(text string) error {
	domain, wildcard := strings.CutPrefix(text, "*.")
	if CheckHost(domain) == nil && (!wildcard || net.ParseIP(domain) == nil) {
		return nil
	}
	return fmt.Errorf("must be a hostname such as www.example.com or *.example.com, or an IP address; found %s", quote.Value(text))
}

// CoversHost reports whether a TLS certificate with the given subject
// alternative names is valid for a host, by the rules of RFC 6125: a wildcard
// matches exactly the leftmost label, case is ignored, and an IP address
// matches only the same address. The common name is ignored.
func CoversHost(domains, ips []string, host string) bool {
	leaf := &x509.Certificate{DNSNames: domains}
	for _, ip := range ips {
		if address := net.ParseIP(ip); address != nil {
			leaf.IPAddresses = append(leaf.IPAddresses, address)
		}
	}
	return Covers(leaf, host)
}

// Covers reports whether a TLS certificate is valid for a host, by the rules of
// CoversHost.
func Covers(leaf *x509.Certificate, host string) bool {
	return leaf.VerifyHostname(asciiHost(host)) == nil
}

// asciiHost converts an international host name, also after the wildcard *., to
// the form in certificates: bücher.example becomes xn--bcher-kva.example. It
// keeps a name that it cannot convert, and removes a dot at the end.
func asciiHost(host string) string {
	host = strings.TrimSuffix(host, ".")
	if isASCII(host) {
		return host
	}
	name, isWildcard := strings.CutPrefix(host, "*.")
	ascii, err := idna.Lookup.ToASCII(name)
	switch {
	case err != nil:
		return host
	case isWildcard:
		return "*." + ascii
	}
	return ascii
}

// ASCII returns a domain, a host and port, or an ACL rule in the notation that the
// service gets: an international host name in punycode, and anything else as it is.
func ASCII(text string) string {
	if isASCII(text) || strings.Contains(text, "=") { // a label can have any characters
		return text
	}
	target, binds := strings.CutPrefix(text, "bind:")
	host, port, withPort := cutLast(target, ":")
	if !withPort {
		host = target
	} else {
		port = ":" + port
	}
	if host = asciiHost(host) + port; binds {
		return "bind:" + host
	}
	return host
}

// AllASCII returns texts in the notation of ASCII. The result is never nil.
func AllASCII(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = ASCII(text)
	}
	return all
}

// MatchesPrincipal reports whether ssh accepts an SSH host certificate with the
// given principals for a host. ssh converts the host to lower case or, for an
// address, to its shortest notation. One of the principals must be exactly that
// text: OpenSSH does not match wildcards. A certificate without principals is
// valid for all hosts.
func MatchesPrincipal(principals []string, host string) bool {
	asked := strings.ToLower(host)
	if address, err := netip.ParseAddr(host); err == nil {
		asked = address.String()
	}
	return len(principals) == 0 || slices.Contains(principals, asked)
}

// CheckServed returns an error if text is not the name or address of one host.
func CheckServed(text string) error {
	if text == "" || strings.ContainsAny(text, "*?") {
		return fmt.Errorf(
			"must be the hostname or IP address of a single host, without wildcards, such as bastion.example.com; found %s", quote.Value(text),
		)
	}
	return nil
}
