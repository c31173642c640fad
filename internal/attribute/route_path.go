package attribute

import (
	"fmt"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// RoutePath validates the path of an HTTPS edge route.
var RoutePath = Limit("a path that begins with a slash", CheckRoutePath)

// CheckRoutePath returns an error if text does not begin with a slash.
func CheckRoutePath(text string) error {
	if strings.HasPrefix(text, "/") {
		return nil
	}
	return fmt.Errorf("must begin with a slash, such as /api/; found %s", quote.Value(text))
}
