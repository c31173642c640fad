package attribute

import (
	"strings"
	"testing"
)

func TestNoName_findsNames(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"edgtls_2abc": "", "ip_policy_created.v0": "", "www": "", "2abc.2def": "", "alice@example.com": "is an e-mail address", "www.example.com": "is a host name",
	} {
		err := checkNoName(id)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, want %q", id, err, want)
		}
	}
}

func TestCheckID_refusesWhatNoIDContains(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"edgtls_2abc": "", "ip_policy_created.v0": "", "a": "",
		"":                                "found an empty string",
		"a b":                             "found white space",
		"edgtls_2abc\n":                   "found white space",
		"a\u00a0b":                        "found white space",
		"\ufeffedgtls_2abc":               "found white space",
		"a/b":                             "found a slash",
		"a,b":                             `Write each value as a separate element`,
		"https://example.com/a/bkdfo_2ab": "the last part of its URI",
		"tunnel_group_backend.b.id":       "found a reference in quotation marks",
		"data.tunnel_ip_policy.b[0].id":   "found a reference in quotation marks",
		"var.backend":                     "found a reference in quotation marks",
		"tunnel_2abc":                     "",
		"ssh-ed25519 AAAA/a me":           "found an SSH public key. Set the attribute id",
		"https://hooks.example.com":       `found a URL: "https://hooks.example.com". Set the ID of the object`,
	} {
		err := checkID(id)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, want %q", id, err, want)
		}
	}
}
