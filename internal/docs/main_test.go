package docs

import (
	"os"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestMain makes the directory of binaries, and removes it.
func TestMain(m *testing.M) {
	var err error
	if binaries, err = os.MkdirTemp("", "tunnel-programs-"); err != nil {
		panic(err)
	}
	code := acctest.Main(m)
	os.RemoveAll(binaries)
	os.Exit(code)
}
