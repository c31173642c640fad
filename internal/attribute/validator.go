package attribute

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Check returns a validator that applies a rule to a string, or to each element
// of a list or set through listvalidator.ValueStringsAre and its like. The
// rule's error follows the attribute's name: "must be …, found …".
func Check(description string, rule func(string) error) validator.String {
	return check{"Invalid Value", description, rule}
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
			return fmt.Errorf("is %d bytes long, at most %d bytes are allowed (characters beyond ASCII take 2 to 4 bytes each)", len(text), limit)
		}
		return nil
	})
}

// NotEmpty is a validator of a string that must hold something.
var NotEmpty = Check("not empty", func(text string) error {
	if text == "" {
		return fmt.Errorf("must not be empty")
	}
	return nil
})
