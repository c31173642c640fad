package main

import (
	"os"
	"strings"
	"testing"
)

func TestLogsAreQuietUnlessAsked(t *testing.T) {
	for _, test := range []struct {
		variable, value, want string
	}{
		{"", "", "off"}, {"TF_LOG", "", "off"}, {"TF_LOG", "TRACE", ""}, {"TF_LOG_PROVIDER", "DEBUG", ""}, {"TF_LOG_PROVIDER_TUNNEL", "INFO", ""},
	} {
		for _, variable := range os.Environ() {
			if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "TF_LOG") {
				t.Setenv(name, "")
				os.Unsetenv(name)
			}
		}
		t.Setenv("TF_LOG_SDK", "")
		os.Unsetenv("TF_LOG_SDK")
		if test.variable != "" {
			t.Setenv(test.variable, test.value)
		}
		asked := logsAsked()
		if got := os.Getenv("TF_LOG_SDK"); got != test.want || asked != (test.want == "") {
			t.Errorf("%s=%s: TF_LOG_SDK=%q, asked %t, want %q", test.variable, test.value, got, asked, test.want)
		}
	}
}
