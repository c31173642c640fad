package docs

import (
	"os"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestMain removes the programs that the tests have built.
func TestMain(m *testing.M) {
	code := acctest.Main(m)
	if testServerDir != "" {
		os.RemoveAll(testServerDir)
	}
	os.Exit(code)
}
