package attribute_test

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

func TestCoversHost_patterns(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		domain, host string
		want         bool
	}{
		{"www.example.com", "www.example.com", true},
		{"www.example.com", "WWW.Example.Com", true},
		{"WWW.example.com", "www.example.com", true},
		{"www.example.com", "www.example.com.", true},
		{"example.com", "www.example.com", false},
		{"*.example.com", "www.example.com", true},
		{"*.example.com", "example.com", false},
		{"*.example.com", "a.www.example.com", false},
		{"w*.example.com", "www.example.com", false},
		{"www.*.com", "www.example.com", false},
		{"*", "localhost", false},
		{"*.xn--bcher-kva.example", "www.bücher.example", true},
		{"*.xn--bcher-kva.example", "*.Bücher.example", true},
		{"*.xn--bcher-kva.example", "*.bücher.example.", true},
		{"xn--bcher-kva.example", "*.bücher.example", false},
		{"192.0.2.1", "192.0.2.1", false}, // a DNS name is not an IP address
		{"www.example.com", "", false},
	} {
		if got := attribute.CoversHost([]string{"other.example.org", test.domain}, []string{"198.51.100.1"}, test.host); got != test.want {
			t.Errorf("%s for %s: %t", test.domain, test.host, got)
		}
	}
	for host, want := range map[string]bool{"192.0.2.1": true, "192.0.2.2": false, "2001:db8::1": true, "2001:db8:0:0::1": true, "2001:db8::2": false} {
		if got := attribute.CoversHost(nil, []string{"192.0.2.1", "2001:0db8::1"}, host); got != want {
			t.Errorf("addresses for %s: %t", host, got)
		}
	}
}

func TestCheckCovered_refused(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"www.example.com": true, "*.example.com": true, "192.0.2.1": true, "2001:db8::1": true,
		"": false, "*": false, "*.": false, "*.192.0.2.1": false, "*.*.example.com": false, "www.*.com": false, "www.example.com:443": false,
	} {
		if err := attribute.CheckCovered(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := attribute.CheckHost("https://www.example.com"); !strings.Contains(err.Error(), "Remove the scheme and the path") {
		t.Error(err)
	}
}

func TestCheckHost_refused(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"www.example.com": true, "localhost": true, "bücher.example": true, "192.0.2.1": true, "2001:db8::1": true, "my_host.internal": true, "www.example.com.": true,
		"": false, "*.example.com": false, "https://www.example.com": false, "www.example.com:443": false, "a b": false, "a..b": false,
	} {
		if err := attribute.CheckHost(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Each line was tried with ssh of OpenSSH 9.2 and a real certificate.
func TestServesHost_names(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		principal, host string
		want            bool
	}{
		{"bastion.example.com", "bastion.example.com", true},
		{"bastion.example.com", "BASTION.example.com", true},
		{"bastion.example.com", "other.example.com", false},
		{"*.example.com", "bastion.example.com", false},
		{"*", "bastion", false},
		{"Bastion.example.com", "bastion.example.com", false},
		{"*.Example.com", "a.example.com", false},
		{"a.example.com", "a.example.com.", false},
		{"192.0.2.7", "192.0.2.7", true},
		{"192.0.2.*", "192.0.2.7", false},
		{"*", "192.0.2.7", false},
		{"2001:db8::1", "2001:DB8::1", true},
		{"2001:DB8::1", "2001:db8::1", false},
		{"2001:db8::1", "2001:db8:0::1", true},
		{"[a]", "a", false},
		{"[a]", "[a]", true},
	} {
		if got := attribute.MatchesPrincipal([]string{"else", test.principal}, test.host); got != test.want {
			t.Errorf("%s for %s: %t", test.principal, test.host, got)
		}
	}
	if !attribute.MatchesPrincipal(nil, "anything") {
		t.Error("a certificate without principals is for all hosts")
	}
}

func TestCheckServed_oneHost(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{"bastion.example.com": true, "192.0.2.7": true, "Bastion": true, "": false, "*.example.com": false, "bastion?": false} {
		if err := attribute.CheckServed(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
