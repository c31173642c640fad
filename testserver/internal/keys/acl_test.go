package keys

import (
	"strings"
	"testing"
)

func TestACLRule_forms(t *testing.T) {
	t.Parallel()
	label63 := strings.Repeat("a", 63)
	good := []string{
		"*", "bind:*", "bind:example.com", "bind:localhost", "bind:Example.COM", "bind:*.example.com", "bind:a-b.example",
		"bind:example.com:443", "bind:1.2.3.4:22", "bind:[2001:db8::1]:65535", "bind:[::]:1", "bind:team=red", "bind:*=red",
		"bind:team=*", "bind:*=*", "bind:a b=c:d", "bind:" + label63 + ".example",
	}
	bad := []string{
		"", "**", "bind", "bind:", "allow:*", "Bind:*", " *", "bind: example.com", "bind:example.com:0", "bind:example.com:65536",
		"bind:example.com:", "bind:example.com:http", "bind:example.com:+80", "bind:example.com:080", "bind::80", "bind:*:80",
		"bind:*.example.com:80", "bind:[::1]", "bind:::1:80", "bind:[1.2.3.4]:80", "bind:[fe80::1%eth0]:80", "bind:[::1:80",
		"bind:-a.example", "bind:a-.example", "bind:a..b", "bind:.example.com", "bind:example.com.", "bind:*.", "bind:*.*.com",
		"bind:exa_mple.com", "bind:münchen.de", "bind:=b", "bind:a=", "bind:a=b=c", "bind:" + label63 + "a.example",
		"bind:" + strings.Repeat("abcdefg.", 32) + "com",
	}
	for _, rule := range good {
		if !validACLRule(rule) {
			t.Errorf("%q is refused", rule)
		}
	}
	for _, rule := range bad {
		if validACLRule(rule) {
			t.Errorf("%q is accepted", rule)
		}
	}
}
