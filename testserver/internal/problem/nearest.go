package problem

import (
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest returns the end of a message about an unknown word, such as ", did you mean
// lag?", or an empty string if no known word is near.
func Nearest(word string, known []string) string {
	const most = 200 // bytes to compare, which is quadratic
	if word == "" || len(word) > most {
		return ""
	}
	best, least := "", 1+len(word)/3
	for _, candidate := range known {
		if d := levenshtein.Distance(strings.ToLower(word), strings.ToLower(candidate), nil); d <= least {
			best, least = candidate, d-1
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}
