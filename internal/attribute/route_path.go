package attribute

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// RoutePath are the validators of the path of an HTTPS edge route: its begin,
// and a warning about a query.
var RoutePath = []validator.String{
	Limit("a path that begins with a slash", checkRoutePath),
	Unusual("a path without a query", func(text string) error {
		if strings.HasPrefix(text, "/") && strings.ContainsAny(text, "?#") {
			return fmt.Errorf("must be a path without a query or fragment, such as /api/; found %s", quote.Value(text))
		}
		return nil
	}),
}

// checkRoutePath returns an error if text does not begin with a slash.
func checkRoutePath(text string) error {
	if strings.HasPrefix(text, "/") {
		return nil
	}
	if _, _, isURL := strings.Cut(text, "://"); isURL {
		return fmt.Errorf("must begin with a slash, such as /api/; found a URL: %s. Remove the scheme and the host", quote.Value(text))
	}
	if text == "" {
		return errors.New("must begin with a slash, such as /api/; found an empty string")
	}
	return fmt.Errorf("must begin with a slash, such as /api/; found %s", quote.Value(text))
}
