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
		"Bastion.Example.com":           "found upper case",
		"*.example.com":                 "found a wildcard",
		"my_host.example.com":           "",
		"192.0.2.10":                    "",
		"2001:db8::1":                   "",
		"::ffff:192.0.2.1":              "",
		"":                              "found an empty string",
		"bastion example":               "must be a hostname",
		"bastion..example.com":          "must be a hostname",
		"bücher.example":                "must be a hostname",
		"300.0.2.1":                     "must be a hostname",
		"192.0.2.0/24":                  "found a CIDR range",
		"bastion:ssh":                   `must be a hostname such as bastion.example.com, or an IP address such as 192.0.2.10 or 2001:db8::1; found "bastion:ssh"`,
		"bastion.example.com:22":        "found a port or brackets",
		"[2001:db8::1]":                 "found a port or brackets",
		"[bastion.example.com]:2222":    "found a port or brackets",
		"fe80::1%eth0":                  "found an IPv6 zone",
		"ssh://bastion.example.com":     "found a URL",
		long + ".com":                   "must be a hostname",
		strings.Repeat("a.", 127) + "a": "must be a hostname",
	} {
		expectError(t, attribute.CheckPrincipal(principal), want)
	}
}
