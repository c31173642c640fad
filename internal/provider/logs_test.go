package provider_test

import (
	"os"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

func TestLogsWanted_anyVariable(t *testing.T) {
	for _, test := range []struct {
		variable, value string
		want            bool
	}{
		{"", "", false},
		{"TF_LOG", "", false},
		{"TF_LOG", "TRACE", true},
		{"TF_LOG_PROVIDER", "DEBUG", true},
		{"TF_LOG_PROVIDER_TUNNEL", "INFO", true},
	} {
		for _, variable := range os.Environ() {
			if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "TF_LOG") {
				t.Setenv(name, "")
				os.Unsetenv(name)
			}
		}
		if test.variable != "" {
			t.Setenv(test.variable, test.value)
		}
		if got := provider.LogsWanted(); got != test.want {
			t.Errorf("%s=%s: %t, expected %t", test.variable, test.value, got, test.want)
		}
	}
}
