package attribute

import (
	"fmt"
	"strings"
)

// RoutePath is a validator of the path that an HTTPS edge route is for.
var RoutePath = Check("a path that begins with a slash", CheckRoutePath)

// CheckRoutePath says why a text cannot be the path of a route.
func CheckRoutePath(text string) error {
	if strings.HasPrefix(text, "/") {
		return nil
	}
	return fmt.Errorf("must begin with a slash, such as /api/; found %q", text)
}
