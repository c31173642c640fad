package attribute

import (
	"strings"
	"testing"
)

func TestEventType_check(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ip_policy_created.v0": "", "x.v0": "", "ip-policy.Created.v12": "", "ip_policy_created.v0.v0": "",
		"":                       "such as ip_policy_created.v0",
		"ip_policy_created":      `. Did you mean "ip_policy_created.v0"?`,
		"ip_policy_created.v1a":  "version",
		"ip_policy_created.v0\n": "without white space",
		"ip policy_created.v0":   "without white space",
		".v0":                    "version",
		"*":                      `found "*". Wildcards are not supported: create one resource for each type`,
		"ip_policy_*.v0":         "Wildcards are not supported",
	} {
		if err := checkEventType(text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

func TestEventType_unusualName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ip_policy_created.v0": "", "http_request_complete.v0": "", "x.v0": "", "http_request_complete.v1": "", "other_created.v0": "",
		"ip_policy_create.v0":  `similar to "ip_policy_created.v0"`,
		"ip.policy.changed.v0": "usually have the form",
		"1st.v0":               "usually have the form",
		"no version":           "", // reported by checkEventType
	} {
		if err := checkEventName(text); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}
