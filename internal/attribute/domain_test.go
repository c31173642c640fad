package attribute

import (
	"strings"
	"testing"
)

// longestName has 253 characters.
var longestName = strings.Repeat("a.", 126) + "a"

func TestDomain_form(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"www.example.com", "*.example.com", "WWW.Example.com", "localhost", "xn--bcher-kva.example", "*.bücher.example", "MÜNCHEN.example.com", "例え.テスト", longestName} {
		if err := checkDomain(good, domainName); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		"":                        "an empty string",
		"https://www.example.com": "Remove the scheme",
		"www.example.com:443":     "hostports of the edge",
		"*":                       `"*"`,
		"a.*.example.com":         `"a.*.example.com": a wildcard must be the whole first label`,
		"www.example.com.":        `"www.example.com.": remove the dot at the end`,
		"*.":                      `"*.": the domain is missing`,
		"@a":                      "must not contain '@'",
	} {
		if err := (domain{}).Check(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", bad, err, want)
		}
	}
	for bad, want := range map[string]string{
		strings.Repeat("ü", 60) + ".example":  "must have at most 63 characters; found",
		"a_b.example":                         "must not contain '_'; expected letters, digits, hyphens and dots",
		strings.Repeat("a", 64) + ".example":  "must have at most 63 characters; found 64",
		strings.Repeat("a.", 127) + "example": "must have at most 253 characters; found 261",
		"-a.example":                          "must not begin or end with a hyphen",
		"-a" + longestName[2:]:                "must not begin or end with a hyphen",
		"-." + strings.Repeat("a", 63):        "must not begin or end with a hyphen",
		"/a":                                  "must not contain '/'",
		"a\u0080.example":                     "it is not a valid internationalized name",
	} {
		if err := checkDomain(bad, domainName); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", bad, err, want)
		}
	}
	if err := checkDomain(" a", domainName); err == nil || !strings.Contains(err.Error(), "it contains white space") {
		t.Error(err)
	}
	if (domain{}).Check("a_b.example") != nil || checkDomain("a_b.example", domainName) == nil {
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
	if !(domain{}).Same("*.bücher.example", "*.xn--bcher-kva.EXAMPLE.") || (domain{}).Same("bücher.example", "bucher.example") {
		t.Error("the notation of international characters must not matter")
	}
	if found := (DomainType{}).Of("www.example.com."); found.ValueString() != "www.example.com" {
		t.Errorf("got %s from the service", found)
	}
}

func TestASCII_notation(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"*.Bücher.example":          "*.xn--bcher-kva.example",
		"bücher.example:443":        "xn--bcher-kva.example:443",
		"*.bücher.example:443":      "*.xn--bcher-kva.example:443",
		"bind:bücher.example":       "bind:xn--bcher-kva.example",
		"bind:*.bücher.example":     "bind:*.xn--bcher-kva.example",
		"bind:bücher.example:22":    "bind:xn--bcher-kva.example:22",
		"bind:regal=bücher.example": "bind:regal=bücher.example",
		"WWW.example.com.":          "WWW.example.com.",
		"[2001:0DB8::1]:443":        "[2001:0DB8::1]:443",
		"mün_chen.example":          "mün_chen.example",
		"*":                         "*",
	} {
		if got := ASCII(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
