package attribute_test

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

func TestACLAllows_rules(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		acl          string // rules separated by spaces
		allows, bans []string
	}{
		{"", []string{"example.com", "*.example.com", "example.com:443", "env=prod"}, nil},
		{"*", []string{"example.com", "*.example.com", "example.com:443", "env=prod"}, nil},
		{"bind:a.example.com *", []string{"b.example.com", "env=prod"}, nil},
		{
			"bind:example.com", []string{"example.com", "EXAMPLE.com"},
			[]string{"www.example.com", "*.example.com", "notexample.com", "example.com:443", "env=prod", "example.com=example.com"},
		},
		{
			"bind:*.Example.com", []string{"www.example.com", "WWW.EXAMPLE.COM", "a.b.example.com", "*.example.com", "*.a.example.com"},
			[]string{"example.com", "notexample.com", "www.example.com:443", "*.com", "www.example.com.org", "x=.example.com"},
		},
		{
			"bind:1.tcp.example.com:20001", []string{"1.tcp.example.com:20001", "1.TCP.example.com:20001"},
			[]string{"1.tcp.example.com:20002", "1.tcp.example.com", "2.tcp.example.com:20001", "20001=20001"},
		},
		{"bind:[2001:db8::1]:443", []string{"[2001:db8:0::1]:443"}, []string{"[2001:db8::2]:443", "[2001:db8::1]:444"}},
		{"bind:192.0.2.1:22", []string{"192.0.2.1:22"}, []string{"192.0.2.1:23", "192.0.2.1"}},
		{"bind:env=prod", []string{"env=prod"}, []string{"env=Prod", "Env=prod", "env=production", "env", "prod=env"}},
		{"bind:*=prod", []string{"env=prod", "stage=prod"}, []string{"env=test", "prod"}},
		{"bind:env=*", []string{"env=prod", "env=a:b, c"}, []string{"stage=prod", "env"}},
		{"bind:*=*", []string{"env=prod"}, []string{"example.com", "example.com:443"}},
		{"bind:*", []string{"example.com", "*.example.com"}, []string{"example.com:443", "env=prod"}},
		{"bind:a.example.com bind:env=*", []string{"a.example.com", "env=x"}, []string{"b.example.com", "stage=x"}},
	} {
		for want, binds := range map[bool][]string{true: test.allows, false: test.bans} {
			for _, bind := range binds {
				if got, err := attribute.ACLAllows(strings.Fields(test.acl), bind); err != nil || got != want {
					t.Errorf("%q for %q: %t, %v, want %t", test.acl, bind, got, err, want)
				}
			}
		}
	}
}

func TestACLAllows_invalid(t *testing.T) {
	t.Parallel()
	for bind, want := range map[string]string{
		"":                     "found an empty string",
		"bind:example.com":     `found "bind:example.com". Remove bind:, which only rules have`,
		"*":                    `found "*": only rules can match`,
		"*=prod":               `found "*=prod": only rules can match`,
		"env=*":                "only rules can match",
		"a.example.com,b":      "found a comma",
		"env=a=b":              "more than one equals sign",
		"https://example.com":  "Remove the scheme",
		"example.com\n::error": "not shown",
	} {
		_, err := attribute.ACLAllows([]string{"*"}, bind)
		expectError(t, err, want)
		if err != nil && !strings.HasPrefix(err.Error(), "must be what a client asks to bind: a domain such as") {
			t.Errorf("%q: %v", bind, err)
		}
	}
	_, err := attribute.ACLAllows([]string{"*", "allow:x"}, "example.com")
	expectError(t, err, `element "allow:x" is not a valid ACL rule: it does not begin with "bind:"`)
}
