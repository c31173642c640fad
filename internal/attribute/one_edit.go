package attribute

import (
	"fmt"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// OneEditFrom returns the first of the known words that is one edit away from
// word: one character inserted, deleted or replaced, two adjacent characters
// swapped, or another case. It returns "" if there is none, or if word is one
// of the known words.
func OneEditFrom(word string, known ...string) string {
	found := ""
	for _, candidate := range known {
		if candidate == word {
			return ""
		}
		if found == "" && (strings.EqualFold(word, candidate) || oneEdit([]rune(word), []rune(candidate))) {
			found = candidate
		}
	}
	return found
}

// oneEdit reports whether two words that are not equal differ by one edit.
func oneEdit(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	begin := 0 // length of the common prefix
	for begin < len(a) && a[begin] == b[begin] {
		begin++
	}
	same := func(a, b []rune) bool { return string(a) == string(b) }
	switch len(b) - len(a) {
	case 0:
		return same(a[begin+1:], b[begin+1:]) ||
			a[begin] == b[begin+1] && a[begin+1] == b[begin] && same(a[begin+2:], b[begin+2:])
	case 1:
		return same(a[begin:], b[begin+1:])
	}
	return false
}

// didYouMean returns a question that continues a sentence, if a text is close
// to one of the known words, and "" otherwise.
func didYouMean(text string, known ...string) string {
	meant := OneEditFrom(text, known...)
	for _, word := range known {
		if meant == "" && sameLetters(text, word) {
			meant = word
		}
	}
	if meant == "" {
		return ""
	}
	return fmt.Sprintf(". Did you mean %s?", quote.Value(meant))
}

// sameLetters reports whether two texts differ at most in case and in what separates
// the parts of a word.
func sameLetters(a, b string) bool {
	return strings.EqualFold(plainLetters.Replace(a), plainLetters.Replace(b))
}

var plainLetters = strings.NewReplacer("-", "", "_", "", " ", "")
