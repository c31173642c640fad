package pki

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

const patternForm = "must contain host patterns such as *.example.com, 192.0.2.*, [host.example.com]:2222 for a port other than 22, " +
	"or !bad.example.com to exclude a host (for another port, ![bad.example.com]:2222, too)"

// portWildcard matches the wildcards that ssh allows in the port, too.
var portWildcard = regexp.MustCompile(`^[0-9]*[*?][0-9*?]*$`)

// CheckKnownHosts returns an error if the patterns are not valid in a line of a
// known_hosts file.
func CheckKnownHosts(patterns []string) error {
	positive := false
	for i, pattern := range patterns {
		if err := checkKnownHost(pattern); err != nil {
			return fmt.Errorf("%s; patterns[%d] (%s) %w", patternForm, i, quote.Value(pattern), err)
		}
		positive = positive || !strings.HasPrefix(pattern, "!")
	}
	switch {
	case len(patterns) == 0:
		return errors.New(patternForm + "; found an empty list")
	case !positive:
		return errors.New("must contain at least one pattern that is not negated (with a leading !)")
	}
	return nil
}

func checkKnownHost(pattern string) error {
	host := strings.TrimPrefix(pattern, "!")
	if host == "" {
		return errors.New("is empty")
	}
	if strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return errors.New("contains whitespace or a non-ASCII character (use punycode, xn--…, for internationalized names)")
	}
	if strings.ContainsAny(host, `,#|"@!`) {
		return errors.New("contains a character with a special meaning in known_hosts files (comma, #, |, quotation mark, @ or a second !)")
	}
	if _, rest, isURL := strings.Cut(host, "://"); isURL {
		name, _, _ := strings.Cut(rest, "/")
		return fmt.Errorf("is a URL; use only its host, %s", quote.Bare(name))
	}
	if strings.Contains(host, "/") {
		return errors.New("contains a slash, but ssh does not match address ranges; use a wildcard, such as 192.0.2.*")
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, port, closed := strings.Cut(inner, "]:")
		if !closed || inner == "" || !attribute.IsPort(port) && !portWildcard.MatchString(port) {
			return errors.New("begins with a bracket, but does not have the form [host]:port")
		}
		if port == "22" {
			return fmt.Errorf("has brackets for port 22, which ssh looks up without brackets; use %s", quote.Bare(inner))
		}
		return checkNotation(inner)
	}
	if name, port, ok := strings.Cut(host, ":"); ok && strings.Trim(port, "0123456789") == "" {
		if _, err := netip.ParseAddr(host); err != nil {
			return fmt.Errorf("has a port, but no brackets around the host; use %s", quote.Bare("["+name+"]:"+port))
		}
	}
	return checkNotation(host)
}

// checkNotation returns an error for an IPv6 address in another notation than the one
// that ssh looks up, whatever the user typed.
func checkNotation(host string) error {
	address, err := netip.ParseAddr(host)
	dotted := netip.MustParsePrefix("::/96").Contains(address) && !netip.MustParsePrefix("::/112").Contains(address) // not in Go: ::192.0.2.1
	if err == nil && address.Is6() && !dotted && !strings.EqualFold(address.String(), host) {
		return fmt.Errorf("is an IPv6 address that ssh looks up in its shortest notation; use %s", quote.Value(address.String()))
	}
	return nil
}
