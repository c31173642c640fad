package attribute_test

import (
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

func TestOneEditFrom_findsMisspellings(t *testing.T) {
	t.Parallel()
	known := []string{"deny", "log", "restrict-ips", "ö"}
	for word, want := range map[string]string{
		"eny":          "deny",
		"dney":         "deny",
		"edny":         "deny",
		"Deny":         "deny",
		"restrictips":  "restrict-ips",
		"restrict_ips": "restrict-ips",
		"o":            "ö",
		"":             "ö",
		// Not one edit.
		"deny":   "",
		"log":    "",
		"lo-g-":  "",
		"öö_":    "",
		"ddeny-": "",
		"nedy":   "",
		"xxny":   "",
	} {
		if got := attribute.OneEditFrom(word, known...); got != want {
			t.Errorf("OneEditFrom(%q) = %q, want %q", word, got, want)
		}
	}
	// A known word is never a spelling of another known word.
	if got := attribute.OneEditFrom("logs", "log", "logs"); got != "" {
		t.Errorf("found %q for a known word", got)
	}
}
