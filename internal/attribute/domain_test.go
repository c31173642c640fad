package attribute

import (
	"strings"
	"testing"
)

func TestDomain_form(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"www.example.com", "*.example.com", "WWW.Example.com", "localhost", "xn--bcher-kva.example"} {
		if err := checkDomain(good, isDomain); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		"":                        "an empty string",
		"https://www.example.com": "Remove the scheme",
		"www.example.com:443":     "hostports of the edge",
		"*":                       `"*"`,
		"a.*.example.com":         `"a.*.example.com": a wildcard must be the whole first label`,
		"www.example.com.":        `"www.example.com.". Remove the dot at the end`,
		"a b.example":             `"a b.example"`,
	} {
		if err := (domain{}).Check(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", bad, err, want)
		}
	}
	if err := checkDomain("münchen.example.com", isDomain); err == nil || !strings.Contains(err.Error(), "Use punycode (xn--...)") {
		t.Errorf("an internationalized name: %v", err)
	}
	if (domain{}).Check("a_b.example") != nil || checkDomain("a_b.example", isDomain) == nil {
		t.Error("an underscore must be a limit for new values only")
	}
}

func TestDomain_sameWithoutCase(t *testing.T) {
	t.Parallel()
	if !(domain{}).Same("WWW.example.com", "www.Example.com") || (domain{}).Same("a.example.com", "*.example.com") {
		t.Error("domains must compare without case only")
	}
	if !(domain{}).Same("www.example.com.", "WWW.example.com") || (domain{}).Same("www.example.com", "www.example.org.") {
		t.Error("a dot at the end must not matter")
	}
	if found := (DomainType{}).Of("www.example.com."); found.ValueString() != "www.example.com" {
		t.Errorf("got %s from the service", found)
	}
}
