package attribute

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func TestRoutePath_check(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"/": "", "/api/": "", "/a:b/": "",
		"":                            "found an empty string.",
		"api":                         `found "api".`,
		"https://www.example.com/api": "Remove the scheme and the host.",
		"/api?x=1":                    `match must be a path without a query or fragment, such as /api/; found "/api?x=1". The service may reject it.`,
		"/api/*":                      `match has a * at column 6, which is not a wildcard: only a path with this character matches. For all paths that begin with "/api/", remove the * and compare with it as a prefix. The service may reject it.`,
		"/*/x":                        `match has a * at column 2, which is not a wildcard: only a path with this character matches. The service may reject it.`,
		"/api#top":                    "without a query or fragment",
	} {
		var resp validator.StringResponse
		for _, v := range RoutePath {
			v.ValidateString(WithPriorState(t.Context(), nil), validator.StringRequest{Path: path.Root("match"), ConfigValue: types.StringValue(text)}, &resp)
		}
		found := ""
		for _, d := range resp.Diagnostics {
			found += d.Detail()
		}
		if (found == "") != (want == "") || !strings.Contains(found, want) {
			t.Errorf("%q: found %q, want %q", text, found, want)
		}
		if warns := strings.HasPrefix(text, "/"); warns && resp.Diagnostics.HasError() {
			t.Errorf("%q is refused", text)
		}
	}
}
