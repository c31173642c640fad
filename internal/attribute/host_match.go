package attribute

import (
	"crypto/x509"
	"fmt"
	"net"
	"net/netip"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/idna"
)

// hostLabel has underscores, as hosts of private networks do.
var hostLabel = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$`)

// CheckHost says why a text is neither a host name nor an IP address that a
// certificate could be for.
func CheckHost(text string) error {
	if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
		return nil
	}
	if strings.Contains(text, "*") {
		return fmt.Errorf("must be a single host without wildcards, such as www.example.com; found %q", text)
	}
	if !labels(strings.TrimSuffix(asciiHost(text), "."), hostLabel) {
		return fmt.Errorf("must be a hostname such as www.example.com, or an IP address; found %q", text)
	}
	return nil
}

// CoversHost tells whether a TLS certificate with some subject alternative names
// is for a host, by the rules of RFC 6125: a wildcard stands for the whole of the
// leftmost label and no more, upper and lower case are alike, and an IP address
// is covered by the same address only. The common name does not count.
func CoversHost(domains, ips []string, host string) bool {
	leaf := x509.Certificate{DNSNames: domains}
	for _, ip := range ips {
		if address := net.ParseIP(ip); address != nil {
			leaf.IPAddresses = append(leaf.IPAddresses, address)
		}
	}
	return leaf.VerifyHostname(asciiHost(host)) == nil
}

// asciiHost writes an international name as certificates have it: bücher.example
// as xn--bcher-kva.example.
func asciiHost(host string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

// ServesHost tells whether ssh takes an SSH host certificate with some principals
// for a host: one of them is its name, or a pattern with * and ? that its name
// fits. One without any principals is for all hosts.
func ServesHost(principals []string, host string) bool {
	if len(principals) == 0 {
		return true
	}
	address, err := netip.ParseAddr(host)
	for _, principal := range principals {
		if same, ok := netip.ParseAddr(principal); err == nil && ok == nil && same == address {
			return true
		}
		if fits(strings.ToLower(principal), strings.ToLower(host)) {
			return true
		}
	}
	return false
}

// fits tells whether a name fits a pattern in which * is any text and ? any
// character.
func fits(pattern, name string) bool {
	fits, err := path.Match(literal.Replace(pattern), name)
	return err == nil && fits
}

// literal keeps what is special to path.Match, but not to ssh, from being so.
var literal = strings.NewReplacer(`\`, `\\`, `[`, `\[`)

// CheckServed says why a text cannot be the name of a host that ssh connects to.
func CheckServed(text string) error {
	if text == "" || strings.ContainsAny(text, "*?") {
		return fmt.Errorf("must be the hostname or IP address of a single host, without wildcards, such as bastion.example.com; found %q", text)
	}
	return nil
}
