package attribute

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Between validates a setting of the provider, which is not part of an object:
// a number in a range.
func Between(least, most int64) validator.Int64 { return between(least, most, false) }

// AtLeast validates a setting of the provider: a number with a minimum.
func AtLeast(least int64) validator.Int64 {
	return numbers{expected: fmt.Sprintf("%d or more", least), allows: func(n int64) bool { return least <= n }}
}

// LimitBetween is like Between, for an attribute of an object. It applies only
// to numbers that a plan sets or changes.
func LimitBetween(least, most int64) validator.Int64 { return between(least, most, true) }

func between(least, most int64, limit bool) validator.Int64 {
	return numbers{fmt.Sprintf("from %d to %d", least, most), func(n int64) bool { return least <= n && n <= most }, limit}
}

// LimitOneOf validates a number that a plan sets or changes: it must be one or
// the other.
func LimitOneOf(one, other int64) validator.Int64 {
	return numbers{expected: fmt.Sprintf("%d or %d", one, other), allows: func(n int64) bool { return n == one || n == other }, limit: true}
}

type numbers struct {
	expected string
	allows   func(int64) bool
	limit    bool // see IsNew
}

func (n numbers) Description(context.Context) string         { return n.expected }
func (n numbers) MarkdownDescription(context.Context) string { return n.expected }

func (n numbers) ValidateInt64(ctx context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	if !IsKnown(req.ConfigValue) || n.limit && !IsNew(ctx, req.Path, req.ConfigValue) {
		return
	}
	if !n.allows(req.ConfigValue.ValueInt64()) {
		resp.Diagnostics.AddAttributeError(
			req.Path, invalid(req.Path), fmt.Sprintf("%s must be %s; found %d.", req.Path, n.expected, req.ConfigValue.ValueInt64()),
		)
	}
}
