package acctest

import (
	"regexp"
	"strings"
)

// InError matches Terraform's output where it holds some texts in this order,
// however Terraform broke the lines.
func InError(texts ...string) *regexp.Regexp {
	var pattern strings.Builder
	pattern.WriteString(`(?s)`)
	for i, text := range texts {
		if i > 0 {
			pattern.WriteString(`.*`)
		}
		for j, word := range strings.Fields(text) {
			if j > 0 {
				pattern.WriteString(`[\s│╷╵]+`)
			}
			pattern.WriteString(regexp.QuoteMeta(word))
		}
	}
	return regexp.MustCompile(pattern.String())
}
