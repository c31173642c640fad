package acctest

import (
	"encoding/json"
	"fmt"
	"testing"
)

// SkipBelow skips the test where Terraform is older than a version.
func (tf *Terraform) SkipBelow(t *testing.T, major, minor int) {
	t.Helper()
	var version struct {
		Text string `json:"terraform_version"`
	}
	if err := json.Unmarshal([]byte(tf.Run(t, "version", "-json")), &version); err != nil {
		t.Fatal(err)
	}
	var hasMajor, hasMinor int
	if _, err := fmt.Sscanf(version.Text, "%d.%d.", &hasMajor, &hasMinor); err != nil {
		t.Fatalf("Terraform %q: %v", version.Text, err)
	}
	if hasMajor < major || hasMajor == major && hasMinor < minor {
		t.Skipf("needs Terraform %d.%d, found %s", major, minor, version.Text)
	}
}
