package attribute

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Check returns a validator that applies a rule to a string. For the elements
// of a list or set, use it with listvalidator.ValueStringsAre or similar. The
// error of the rule follows the attribute's name in the message: "must be …,
// found …".
func Check(description string, rule func(string) error) validator.String {
	return check{"Invalid value", description, rule}
}

type check struct {
	title       string
	description string
	rule        func(string) error
}

func (c check) Description(context.Context) string         { return c.description }
func (c check) MarkdownDescription(context.Context) string { return c.description }

func (c check) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !Known(req.ConfigValue) {
		return
	}
	if err := c.rule(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, c.title, sentence(req.Path.String(), err))
	}
}

// MaxBytes returns a validator of a string's length in bytes of UTF-8.
func MaxBytes(limit int) validator.String {
	return Check(fmt.Sprintf("at most %d bytes of UTF-8", limit), func(text string) error {
		if len(text) > limit {
			return fmt.Errorf("must be at most %d bytes long; found %d bytes (a non-ASCII character takes 2 to 4 bytes)", limit, len(text))
		}
		return nil
	})
}

// NotEmpty validates that a string is not empty.
var NotEmpty = Check("not empty", func(text string) error {
	if text == "" {
		return fmt.Errorf("must not be empty")
	}
	return nil
})

// Doubt is like Check, but reports a warning. It is for rules that the API
// contract does not state, so that the service may accept a value that breaks
// them.
func Doubt(description string, rule func(string) error) validator.String {
	return doubt{check{"Unusual value", description, rule}}
}

type doubt struct{ check }

func (d doubt) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !Known(req.ConfigValue) {
		return
	}
	if err := d.rule(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeWarning(req.Path, d.title, sentence(req.Path.String(), err)+" The service may reject it.")
	}
}

// MaxItems returns a validator that warns about a list with more items than
// public services of this kind accept, such as 100 rules.
func MaxItems(limit int, items string) validator.List { return maxItems{limit, items} }

type maxItems struct {
	limit int
	items string
}

func (m maxItems) Description(context.Context) string {
	return fmt.Sprintf("at most %d %s", m.limit, m.items)
}

func (m maxItems) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (m maxItems) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	if found := len(req.ConfigValue.Elements()); found > m.limit {
		resp.Diagnostics.AddAttributeWarning(req.Path, "Unusual value",
			fmt.Sprintf("Expected at most %d %s in %s; found %d. The service may reject them.", m.limit, m.items, req.Path, found))
	}
}

// NoDuplicates warns about duplicate strings in a list.
var NoDuplicates validator.List = noDuplicates{}

type noDuplicates struct{}

func (noDuplicates) Description(context.Context) string { return "no duplicates" }

func (v noDuplicates) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (noDuplicates) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	seen := map[string]int{}
	for i, element := range req.ConfigValue.Elements() {
		text, ok := element.(types.String)
		if !ok || !Known(text) {
			continue
		}
		if first, again := seen[text.ValueString()]; again {
			resp.Diagnostics.AddAttributeWarning(req.Path.AtListIndex(i), "Unusual value",
				fmt.Sprintf("%s is the same as %s: %q. The service may reject it.", req.Path.AtListIndex(i), req.Path.AtListIndex(first), text.ValueString()))
			continue
		}
		seen[text.ValueString()] = i
	}
}
