package protocol

// This file keeps a promise: each diagnostic stands at a line that Terraform
// finds.

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// located sets the path of each diagnostic to its top-level attribute.
// Terraform finds the lines of these only: for a deeper path, such as
// inbound[0].expressions[1], it shows the first line of the whole block. The
// text of a diagnostic has the exact path. located adds the names of the list
// elements in it, such as rules.
func located(of tftypes.Type, config *tfprotov6.DynamicValue, diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	for _, d := range diags {
		name := rootOf(d)
		if name == "" {
			continue
		}
		steps := d.Attribute.Steps()
		d.Attribute = tftypes.NewAttributePath().WithAttributeName(name)
		if len(steps) == 1 || config == nil {
			continue
		}
		if value, err := config.Unmarshal(of); err == nil {
			d.Detail += elementNames(value, steps)
		}
	}
	return diags
}

// elementNames returns a sentence for each list element on a path that has a
// name.
func elementNames(value tftypes.Value, steps []tftypes.AttributePathStep) string {
	text, at := "", ""
	for i, step := range steps {
		switch step := step.(type) {
		case tftypes.AttributeName:
			at += "." + string(step)
		case tftypes.ElementKeyInt:
			at += fmt.Sprintf("[%d]", int64(step))
			path := append(append([]tftypes.AttributePathStep{}, steps[:i+1]...), tftypes.AttributeName("name"))
			found, _, err := tftypes.WalkAttributePath(value, tftypes.NewAttributePathWithSteps(path))
			var name string
			if element, ok := found.(tftypes.Value); err == nil && ok && element.IsKnown() && element.As(&name) == nil && name != "" {
				text += fmt.Sprintf("\n\n%s is named %s.", at[1:], quote.Value(name))
			}
		default:
			return text
		}
	}
	return text
}
