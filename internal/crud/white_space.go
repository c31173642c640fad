package crud

// This file keeps a promise: a plan shows every change. Terraform shows nothing of a
// line end at the end of a text, and blanks cannot be seen.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// warnOfWhiteSpace adds a warning for each text of which a plan changes nothing but
// white space.
func warnOfWhiteSpace(diags *diag.Diagnostics, of schema.Schema, prior, planned tftypes.Value) {
	if prior.IsNull() || planned.IsNull() {
		return
	}
	before, after := membersOf(prior), membersOf(planned)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		attribute := of.Attributes[name]
		was, known := textOf(before[name])
		is, wanted := textOf(after[name])
		if !known || !wanted || was == is || !slices.Equal(strings.Fields(was), strings.Fields(is)) ||
			attribute.IsSensitive() || !attribute.IsRequired() && !attribute.IsOptional() {
			continue
		}
		from, to := excerpts(strconv.Quote(was), strconv.Quote(is))
		diags.AddAttributeWarning(path.Root(name), "Only white space changes", fmt.Sprintf(
			"%s changes from %s to %s. If the service removes white space, each plan shows this change: set the former text, for example "+
				"with trimspace(...).", name, from, to,
		))
	}
}

// textOf returns a text of a state or a plan, and false for other values.
func textOf(value tftypes.Value) (text string, ok bool) {
	ok = value.Type().Is(tftypes.String) && value.IsKnown() && !value.IsNull() && value.As(&text) == nil
	return text, ok
}
