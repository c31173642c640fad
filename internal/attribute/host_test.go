package attribute_test

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

func TestPrincipal_check(t *testing.T) {
	t.Parallel()
	for principal, want := range map[string]string{
		"bastion":                       "",
		"bastion.example.com":           "",
		"Bastion.Example.com":           "",
		"*.example.com":                 "",
		"web-?.example.com":             "",
		"db*.example.com":               "",
		"*":                             "",
		"my_host.example.com":           "",
		"1.tcp.example.com":             "",
		"xn--bcher-kva.example":         "",
		"192.0.2.10":                    "",
		"2001:db8::1":                   "",
		"::ffff:192.0.2.1":              "",
		"":                              "must not be empty",
		" bastion":                      "is neither a host name nor an IP address",
		"bastion example":               "is neither a host name nor an IP address",
		"bastion,example":               "is neither a host name nor an IP address",
		"bastion.example.com.":          "is neither a host name nor an IP address",
		"bastion..example.com":          "is neither a host name nor an IP address",
		"-bastion":                      "is neither a host name nor an IP address",
		"bücher.example":                "is neither a host name nor an IP address",
		"root@bastion.example.com":      "is neither a host name nor an IP address",
		"!bastion.example.com":          "is neither a host name nor an IP address",
		"300.0.2.1":                     "is neither a host name nor an IP address",
		"192.0.2":                       "is neither a host name nor an IP address",
		"192.0.2.0/24":                  "must not be a range of addresses",
		"bastion.example.com:22":        "must not have a port or brackets",
		"[2001:db8::1]":                 "must not have a port or brackets",
		"[bastion.example.com]:2222":    "must not have a port or brackets",
		"fe80::1%eth0":                  "must not have a zone",
		"ssh://bastion.example.com":     "must not be a URL",
		long + ".com":                   "is neither a host name nor an IP address",
		strings.Repeat("a.", 127) + "a": "is neither a host name nor an IP address",
	} {
		expectError(t, attribute.CheckPrincipal(principal), want)
	}
}

func FuzzPrincipal_check(f *testing.F) {
	for _, seed := range []string{"", "*", "bastion.example.com", "192.0.2.10", "2001:db8::1", "a:1", "[::1]:22", "."} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, principal string) {
		if attribute.CheckPrincipal(principal) == nil && (principal == "" || strings.ContainsAny(principal, " ,/@[]\n")) {
			t.Errorf("%q is taken", principal)
		}
	})
}
