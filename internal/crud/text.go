package crud

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// DisplayName returns the name of an object in a list: what it is, and its
// description.
func DisplayName(what, description string) string {
	if description == "" {
		return what
	}
	return what + ": " + description
}

// ReplaceInUse says in the description of a resource how to replace an object that
// another one uses.
func ReplaceInUse(object string) string {
	return "To replace " + object + " that is in use, set `create_before_destroy`: otherwise the deletion fails with \"still in use\"."
}

// JoinLimited returns the first few of many foreign texts, and the number of the
// others.
func JoinLimited(texts []string, few int) string {
	texts = foreign(texts)
	if len(texts) <= few+1 { // a single text is listed rather than counted
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:few], ", "), len(texts)-few)
}

// Enumerate returns a sorted list of foreign texts for an error message, with about
// 20 entries.
func Enumerate(texts []string) string { return JoinLimited(slices.Sorted(slices.Values(texts)), 20) }

func foreign(texts []string) []string {
	escaped := make([]string, len(texts))
	for i, text := range texts {
		escaped[i] = quote.Foreign(text)
	}
	return escaped
}
