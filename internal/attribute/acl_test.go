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
		"bind:localhost":             "",
		"bind:WWW.Example.com":       "",
		"bind:xn--bcher-kva.example": "",
		"bind:*.example.com":         "",
		"bind:*.com":                 "",
		"bind:1.tcp.example.com:1":   "",
		"bind:example.com:65535":     "",
		"bind:192.0.2.1:22":          "",
		"bind:[2001:db8::1]:443":     "",
		"bind:env=prod":              "",
		"bind:*=prod":                "",
		"bind:env=*":                 "",
		"bind:*=*":                   "",
		"bind:app/name=a:b, c":       "",
		"":                           "is not a valid ACL rule",
		"example.com":                "is not a valid ACL rule",
		"allow:example.com":          "is not a valid ACL rule",
		"Bind:example.com":           "is not a valid ACL rule",
		" bind:example.com":          "is not a valid ACL rule",
		"**":                         "is not a valid ACL rule",
		"bind:":                      "has no valid domain after bind:",
		"bind:ex ample.com":          "has no valid domain after bind:",
		"bind:https://example.com":   "has no port from 1 to 65535",
		"bind:example..com":          "has no valid domain after bind:",
		"bind:example.com.":          "has no valid domain after bind:",
		"bind:-a.example.com":        "has no valid domain after bind:",
		"bind:a_b.example.com":       "has no valid domain after bind:",
		"bind:**.example.com":        "has no valid domain after bind:",
		"bind:*example.com":          "has no valid domain after bind:",
		"bind:www.*.com":             "has no valid domain after bind:",
		"bind:*.*.example.com":       "has no valid domain after bind:",
		"bind:*.":                    "has no valid domain after bind:",
		"bind:bücher.example":        "has no valid domain after bind:",
		"bind:" + long + ".com":      "has no valid domain after bind:",
		"bind:example.com:0":         "has no port from 1 to 65535",
		"bind:example.com:65536":     "has no port from 1 to 65535",
		"bind:example.com:99999":     "has no port from 1 to 65535",
		"bind:example.com:123456":    "has no port from 1 to 65535",
		"bind:example.com:022":       "has no port from 1 to 65535",
		"bind:example.com:":          "has no port from 1 to 65535",
		"bind:example.com:https":     "has no port from 1 to 65535",
		"bind::22":                   "has no valid domain or IP address before its port",
		"bind:*.example.com:22":      "has no valid domain or IP address before its port",
		"bind:2001:db8::1":           "must have brackets around an IPv6 address",
		"bind:[192.0.2.1]:22":        "has no valid IPv6 address in its brackets",
		"bind:[2001:db8::1%eth0]:22": "has no valid IPv6 address in its brackets",
		"bind:[2001:db8::1]":         "must have brackets around an IPv6 address",
		"bind:=":                     "has a label without a key or a value",
		"bind:env=":                  "has a label without a key or a value",
		"bind:=prod":                 "has a label without a key or a value",
		"bind:env=a=b":               "more than one equals sign",
	} {
		expectError(t, attribute.CheckACLRule(rule), want)
	}
}

var long = strings.Repeat("a", 64)

func FuzzACLRule_neverPanics(f *testing.F) {
	for _, seed := range []string{"*", "bind:*", "bind:*.example.com", "bind:example.com:443", "bind:[::1]:22", "bind:env=prod", "bind:=", "bind:[]:1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, rule string) {
		if attribute.CheckACLRule(rule) == nil && rule != attribute.EveryAction && !strings.HasPrefix(rule, "bind:") {
			t.Errorf("%q is taken", rule)
		}
	})
}
