package acctest

import (
	"regexp"
	"strings"
)

// InError returns a pattern that matches Terraform output that contains the
// given texts in this order. Line breaks between words are ignored.
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
