package attribute

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// UsualPort warns about a list of hosts and ports with other ports than public
// services of this kind accept. It adds one warning for the whole list.
func UsualPort(port, of string) validator.List { return usualPort{port, of} }

type usualPort struct{ port, of string }

func (u usualPort) Description(context.Context) string { return "port " + u.port }

func (u usualPort) MarkdownDescription(ctx context.Context) string { return u.Description(ctx) }

func (u usualPort) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	if !IsNew(ctx, req.Path, req.ConfigValue) {
		return
	}
	var others []string
	for _, text := range Strings(req.ConfigValue) {
		if _, port, ok := cutLast(text, ":"); ok && port != u.port && checkHostport(text, hostText) == nil {
			others = append(others, quote.Value(text))
		}
	}
	if len(others) == 0 {
		return
	}
	slices.Sort(others)
	more := ""
	if len(others) > 5 {
		others, more = others[:5], fmt.Sprintf(" and %d more", len(others)-5)
	}
	resp.Diagnostics.AddAttributeWarning(req.Path, "Unusual port", fmt.Sprintf(
		"%s has ports other than %s: %s%s. %s of public services of this kind usually listen on port %s. The service may reject others.",
		req.Path, u.port, strings.Join(others, ", "), more, u.of, u.port,
	))
}
