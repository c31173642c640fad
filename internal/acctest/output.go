package acctest

import (
	"regexp"
	"strings"
)

const lastLines = 60

var important = regexp.MustCompile(`^[ │╷╵]*(Error:|Warning:|Plan:|[~+-]|-/\+|# .* (will|must) be |{"@level":"(error|warn)")`)

// Summary shortens a command's output for test failures: it keeps lines with
// errors, warnings and planned changes, and the last 60 lines.
func Summary(out string) string {
	lines := strings.Split(strings.TrimRight(out, "\n"), "\n")
	if len(lines) <= lastLines {
		return out
	}
	cut := len(lines) - lastLines
	var kept []string
	for _, line := range lines[:cut] {
		if important.MatchString(line) && len(kept) < lastLines {
			kept = append(kept, line)
		}
	}
	return strings.Join(append(append(kept, "[...]"), lines[cut:]...), "\n")
}

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
