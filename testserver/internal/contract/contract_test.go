package contract

import (
	"fmt"
	"strings"
	"testing"
)

// TestDocument_namesTheMissingOperation checks that a kind without a description
// in the document is reported with what to do.
func TestDocument_namesTheMissingOperation(t *testing.T) {
	t.Parallel()
	d := New([]byte("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\n"))
	defer func() {
		if found := fmt.Sprint(recover()); !strings.Contains(found, "openapi.yaml has no POST /bots. To write it, run: go test ./testserver") {
			t.Errorf("found %q", found)
		}
	}()
	_ = d.DropIgnored("/bots", "POST", nil, map[string]any{})
}
