package attribute

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// RoutePath are the validators of the path of an HTTPS edge route: its begin,
// and warnings about a query and a wildcard.
var RoutePath = []validator.String{
	Limit("a path that begins with a slash", checkRoutePath),
	Unusual("a path without a query", func(text string) error {
		if strings.HasPrefix(text, "/") && strings.ContainsAny(text, "?#") {
			return fmt.Errorf("must be a path without a query or fragment, such as /api/; found %s", quote.Value(text))
		}
		return nil
	}),
	misspelled("Unusual path", "a path without wildcards", checkWildcard),
}

// checkWildcard returns an error if a path has a *, which many other services
// understand as a wildcard.
func checkWildcard(text string) error {
	before, after, found := strings.Cut(text, "*")
	if !found || !strings.HasPrefix(text, "/") {
		return nil
	}
	problem := fmt.Sprintf("has a * at column %d, which is not a wildcard: only a path with this character matches", len([]rune(before))+1)
	if after != "" {
		return errors.New(problem)
	}
	return fmt.Errorf("%s. For all paths that begin with %s, remove the * and compare with it as a prefix", problem, quote.Value(before))
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
