package attribute

import (
	"strings"
	"testing"
)

func TestCheckID_refusesWhatNoIDContains(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"edgtls_2abc": "", "ip_policy_created.v0": "", "a": "",
		"":                                "found an empty string",
		"a b":                             "found white space",
		"edgtls_2abc\n":                   "found white space",
		"a/b":                             "found a slash",
		"a,b":                             `Write each value as a separate element`,
		"https://example.com/a/bkdfo_2ab": "Use its last part",
		"https://hooks.example.com":       `found a URL: "https://hooks.example.com". Set the ID of the object instead of a URL`,
	} {
		err := CheckID(id)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, want %q", id, err, want)
		}
	}
}

func TestCheckPrefix_namesTheOtherKind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		id       string
		expected []string
		want     string
	}{
		{"edghts_2abc", []string{"edghts_"}, ""},
		{"edghtsrt_2abc", []string{"edghts_"}, "begins with edghtsrt_, the prefix of an HTTPS edge route; expected the ID of an HTTPS edge"},
		{"usr_2abc", []string{"bkdfo_", "bkdtg_", "bkdhr_"}, "expected the ID of a failover backend, a tunnel group backend or an HTTP response backend"},
		{"bkdtg_2abc", []string{"bkdfo_", "bkdtg_", "bkdhr_"}, ""},
		// Ids are opaque: another prefix proves nothing.
		{"bkdxx_2abc", []string{"bkdfo_"}, ""},
		{"12345", []string{"bkdfo_"}, ""},
		{"", []string{"bkdfo_"}, ""},
	} {
		err := CheckIDPrefix(test.id, test.expected...)
		if (err == nil) != (test.want == "") || err != nil && !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%q: found %v, want %q", test.id, err, test.want)
		}
	}
}
