package attribute

import (
	"strings"
	"testing"
)

func TestHostport_check(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"www.example.com:443", "*.example.com:443", "192.0.2.1:22", "[2001:db8::1]:65535", "1.tcp.example.com:20001"} {
		if err := CheckHostport(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"":                        "",
		"www.example.com":         "found no port",
		"www.example.com:70000":   "1.tcp.example.com:20001; the port must be from 1 to 65535, without leading zeros",
		"www.example.com:https":   "the port must be a number, such as 443",
		"my_host.example.com:443": "a domain must not contain '_'",
		":443":                    "the domain is missing",
		"2001:db8::1:443":         "missing brackets around the IPv6 address",
		"1.tcp.test:20001:443":    "found two ports. Remove one of them",
		"www.example.com:22/path": "found a path. Remove the path after the port",
		"www.example.com:443/":    "",
		"*:443":                   "a wildcard must be the whole first label of a domain",
		"*.192.0.2.1:443":         "a wildcard must be followed by a domain",
		"*.[::1]:443":             "",
	} {
		if err := CheckHostport(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), `"`) {
			t.Errorf("%s: %v\nwant %s", text, err, want)
		}
	}
}
