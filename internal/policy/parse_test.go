package policy_test

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"cel.dev/cel-go/common"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
)

// TestParse_asTheTestServer parses the expressions that the tests of the test server send
// to it, so that both decide alike.
func TestParse_asTheTestServer(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../testserver/testdata/cel.json")
	var expressions map[string][]string
	if err = errors.Join(err, json.Unmarshal(content, &expressions)); err != nil {
		t.Fatal(err)
	}
	for want, texts := range expressions {
		for _, text := range texts {
			if _, found := policy.Parse(common.NewTextSource(text)); (len(found.GetErrors()) == 0) != (want == "valid") {
				t.Errorf("%q: expected %s: %s", text, want, found.ToDisplayString())
			}
		}
	}
}
