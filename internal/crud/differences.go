package crud

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// warnOfDifferences says which planned values the service stored differently.
// The summary names the object, because Terraform shows only one of several
// warnings with the same summary.
func (r *kindResource[M, T]) warnOfDifferences(ctx context.Context, diags *diag.Diagnostics, model *M, found []difference) {
	lines := make([]string, len(found))
	for i, d := range found {
		planned, stored := d.texts(ctx)
		if r.kind.Schema.Attributes[d.root()].IsSensitive() {
			planned, stored = "(sensitive value)", "another value"
		}
		lines[i] = fmt.Sprintf("  %s: planned %s, stored %s", d.path, planned, stored)
	}
	diags.AddWarning(
		fmt.Sprintf("The service stored different values for the %s %s", r.kind.Noun, r.importID(model)),
		strings.Join(
			lines, "\n",
		)+"\n\nThe state contains the planned values until the next refresh. After that, the plan shows these differences as changes. "+
			"To prevent this, set the attributes to the stored values.",
	)
}

// texts returns both values for a warning. Long values are cut to where they
// differ, and sets to the elements that differ.
func (d difference) texts(ctx context.Context) (planned, stored string) {
	before, now := d.planned, d.stored
	if p, ok := before.(types.Set); ok && !p.IsNull() {
		if s, ok := now.(types.Set); ok && !s.IsNull() {
			before, now = without(ctx, p, s), without(ctx, s, p)
		}
	}
	return excerpts(displayed(before), displayed(now))
}

// without returns a set without the elements of another set.
func without(ctx context.Context, set, other types.Set) attr.Value {
	rest := slices.DeleteFunc(set.Elements(), func(element attr.Value) bool {
		return slices.ContainsFunc(other.Elements(), func(one attr.Value) bool { return sameValue(ctx, element, one) })
	})
	return types.SetValueMust(set.ElementType(ctx), rest)
}

func displayed(value attr.Value) string {
	if value == nil || value.IsNull() {
		return "no value"
	}
	return value.String()
}

// excerpts cuts two long texts to the part where they begin to differ.
func excerpts(a, b string) (string, string) {
	const before, most = 20, 120 // bytes
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	cut := func(text string) string {
		if len(text) <= most {
			return text
		}
		from := max(0, same-before)
		to := min(len(text), from+most)
		part := strings.ToValidUTF8(text[from:to], "")
		if from > 0 {
			part = "..." + part
		}
		if to < len(text) {
			part += "..."
		}
		return part
	}
	return cut(a), cut(b)
}
