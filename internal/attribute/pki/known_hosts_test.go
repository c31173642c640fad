package pki_test

import (
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
)

func TestKnownHosts_patterns(t *testing.T) {
	t.Parallel()
	for pattern, ok := range map[string]bool{
		"bastion.example.com": true, "*.example.com": true, "host-?": true, "192.0.2.*": true, "2001:db8::1": true, "2001:db8::*": true,
		"[host]:2222": true, "[2001:db8::1]:2222": true, "[*.example.com]:2222": true, "xn--bcher-kva.example": true,
		"2001:DB8::1": true, "fe80::1%eth0": true, "::192.0.2.1": true, "::1": true, "::ffff:192.0.2.1": true, "0:0:0:0:0:0:0:1": false, "2001:db8:0:0::1": false, "[2001:0db8::1]:2222": false,
		"[host]:7000": true, "[host]:10000": true, "[host]:65535": true, "[*.example.com]:*": true, "[host]:22*": true,
		"": false, "!": false, "a b": false, "a,b": false, "#a": false, "|1|a|b": false, "@a": false, "a\n": false, "a\x7f": false, "bücher.example": false,
		"192.0.2.0/24": false, "[host]:x*": false, "host:22": false, "[host]": false, "[host]:0": false, "[host]:65536": false, "[host]:22": false, "[]:2222": false, "!!a": false,
	} {
		if err := pki.CheckKnownHosts([]string{pattern}); (err == nil) != ok {
			t.Errorf("%q: %v", pattern, err)
		}
		if err := pki.CheckKnownHosts([]string{"*", "!" + pattern}); (err == nil) != ok && pattern != "" {
			t.Errorf("the exception %q: %v", pattern, err)
		}
	}
	expectError(t, pki.CheckKnownHosts([]string{"https://a.example.com/b"}), "is a URL; use only its host, a.example.com")
	expectError(t, pki.CheckKnownHosts([]string{"[::FFFF:c000:201]:2222"}), `use "::ffff:192.0.2.1"`)
	if pki.CheckKnownHosts([]string{"!a", "!b"}) == nil || pki.CheckKnownHosts(nil) == nil {
		t.Error("a list that no host matches is accepted")
	}
}
