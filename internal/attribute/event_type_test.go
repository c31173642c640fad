package attribute

import (
	"strings"
	"testing"
)

func TestEventType_check(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"ip_policy_created.v0", "http_request_complete.v12", "x.v0"} {
		if err := CheckEventType(good); err != nil {
			t.Error(err)
		}
	}
	for bad, want := range map[string]string{
		"":                        "such as ip_policy_created.v0",
		"ip_policy_created":       `use "ip_policy_created.v0"`,
		"ip-policy-created.v0":    "underscores",
		"IP_policy_created.v0":    "lowercase",
		"ip_policy_created.v":     "version",
		"ip_policy_created.v1a":   "version",
		"ip_policy_created.v0\n":  "version",
		"1st.v0":                  "such as",
		"ip_policy.created.v0":    "such as",
		"ip policy_created.v0":    "such as",
		"ip_policy_created.v0.v0": "such as",
	} {
		if err := CheckEventType(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error with %q", bad, err, want)
		}
	}
}

func FuzzEventType_check(f *testing.F) {
	for _, seed := range []string{"ip_policy_created.v0", "ip_policy_created", "A.v0", ".v0", "a.v0\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, version, ok := strings.Cut(text, ".v")
		good := ok && name != "" && version != "" &&
			name[0] >= 'a' && name[0] <= 'z' &&
			strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" &&
			strings.Trim(version, "0123456789") == ""
		if err := CheckEventType(text); (err == nil) != good {
			t.Errorf("%q: %v, want good: %v", text, err, good)
		}
	})
}
