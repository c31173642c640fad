package attribute_test

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

func TestACLRule_check(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string]string{
		"*":                          "",
		"bind:*":                     "",
		"bind:example.com":           "",
		"bind:*.example.com":         "",
		"bind:1.tcp.example.com:1":   "",
		"bind:[2001:db8::1]:443":     "",
		"bind:env=prod":              "",
		"bind:*=prod":                "",
		"bind:app/name=a:b, c":       "",
		"":                           "is not a valid ACL rule",
		"example.com":                "does not begin with",
		"Bind:example.com":           "in lower case",
		" bind:example.com":          "contains white space",
		"bind:a.example.com,bind:b":  "separate element",
		"bind:192.0.2.0/24":          "contains a slash",
		"bind:":                      "nothing follows",
		"bind:ex ample.com":          "contains white space",
		"bind:https://example.com":   "Remove the scheme",
		"bind:example..com":          "two dots in a row",
		"bind:example.com.":          "remove the dot at the end",
		"bind:-a.example.com":        "must not begin or end with a hyphen",
		"bind:a_b.example.com":       "a domain must not contain '_'; expected letters, digits, hyphens and dots",
		"bind:www.*.com":             "a wildcard must be the whole first label",
		"bind:*.":                    `a domain must follow "*."`,
		"bind:bücher.example":        "",
		"bind:bü_cher.example":       "it is not a valid internationalized name",
		"bind:" + long + ".com":      "must have at most 63 characters; found 64",
		"bind:example.com:0":         "the port must be from 1 to 65535",
		"bind:example.com:65536":     "the port must be from 1 to 65535",
		"bind:example.com:022":       "the port must be from 1 to 65535",
		"bind:example.com:":          "the port must be a number, such as 443",
		"bind::22":                   "the domain is missing",
		"bind:*.example.com:22":      "a wildcard cannot be combined with a port",
		"bind:2001:db8::1":           "missing brackets around the IPv6 address",
		"bind:[192.0.2.1]:22":        "invalid IPv6 address in brackets",
		"bind:[2001:db8::1%eth0]:22": "invalid IPv6 address in brackets",
		"bind:[2001:db8::1]":         "missing brackets around the IPv6 address",
		"bind:env=":                  "empty label key or value",
		"bind:[::1]":                 "the port after the brackets is missing",
		"bind:[a:1:2":                "found two ports",
		"bind:env=a=b":               "more than one equals sign",
	} {
		expectError(t, attribute.CheckACLRule(rule), want)
	}
}

var long = strings.Repeat("a", 64)

// expectError expects an error that contains want, or no error if want is
// empty.
func expectError(t *testing.T, err error, want string) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
		t.Errorf("found the error %v, want %q", err, want)
	}
}
