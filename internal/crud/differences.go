package crud

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
)

const maxDifferences = 20 // that a warning names

// warnOfDifferences says which planned values the service stored differently.
// The summary names the object, because Terraform shows only one of several
// warnings with the same summary.
func (r *kindResource[M, T]) warnOfDifferences(diags *diag.Diagnostics, model *M, found []difference) {
	lines := make([]string, min(len(found), maxDifferences))
	for i, d := range found[:len(lines)] {
		planned, stored := excerpts(displayed(d.planned), displayed(d.stored))
		if r.kind.Schema.Attributes[d.root()].IsSensitive() {
			planned, stored = "(sensitive value)", "another value"
		}
		lines[i] = fmt.Sprintf("  %s: planned %s, stored %s", d.path, planned, stored)
	}
	if more := len(found) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	diags.AddWarning(
		fmt.Sprintf("The service stored different values for the %s %s", r.kind.Noun, r.importID(model)),
		strings.Join(
			lines, "\n",
		)+"\n\nThe state contains the planned values until the next refresh. After that, the plan shows these differences as changes. "+
			"To prevent this, set the attributes to the stored values.",
	)
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
