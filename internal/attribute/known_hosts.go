package attribute

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
)

const patternForm = "expected patterns such as *.example.com, 192.0.2.*, [host.example.com]:2222 for a port other than 22, or !bad.example.com for an exception"

// CheckKnownHosts returns an error if the patterns are not valid in a line of a
// known_hosts file.
func CheckKnownHosts(patterns []string) error {
	positive := false
	for i, pattern := range patterns {
		if err := checkKnownHost(pattern); err != nil {
			return fmt.Errorf("has an element, number %d, that %w; %s", i+1, err, patternForm)
		}
		positive = positive || !strings.HasPrefix(pattern, "!")
	}
	switch {
	case len(patterns) == 0:
		return errors.New("must not be empty; " + patternForm)
	case !positive:
		return errors.New("must have at least one pattern that is not an exception; " + patternForm)
	}
	return nil
}

func checkKnownHost(pattern string) error {
	host := strings.TrimPrefix(pattern, "!")
	if host == "" {
		return errors.New("is empty")
	}
	if strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return fmt.Errorf("contains white space or a character beyond ASCII (write international names as xn--…), found %q", pattern)
	}
	if strings.ContainsAny(host, `,#|"@!`) {
		return fmt.Errorf("contains a character with a special meaning in known_hosts files (a comma, #, |, a quotation mark, @ or a second !); found %q", pattern)
	}
	if inside, ok := strings.CutPrefix(host, "["); ok {
		inside, port, closed := strings.Cut(inside, "]:")
		if !closed || inside == "" || !portNumber.MatchString(port) || len(port) == 5 && port > "65535" {
			return fmt.Errorf("begins with a bracket and does not have the form [host]:port; found %q", pattern)
		}
		if port == "22" {
			return fmt.Errorf("has brackets for port 22, which ssh looks up without brackets; found %q, use %s", pattern, inside)
		}
		return nil
	}
	if name, port, ok := strings.Cut(host, ":"); ok && digits.MatchString(port) {
		if _, err := netip.ParseAddr(host); err != nil {
			return fmt.Errorf("has a port without brackets around the host; found %q, use [%s]:%s", pattern, name, port)
		}
	}
	return nil
}
