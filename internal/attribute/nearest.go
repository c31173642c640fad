package attribute

import "strings"

// longestName is the length of a name up to which Nearest looks for known words.
const longestName = 64

// Nearest returns the known word that a misspelled name most likely means: the one
// with the fewest edits, without regard to case, if these are at most a third of the
// name, or else one that begins with the name. It returns "" if there is none.
func Nearest(name string, known ...string) string {
	if len(name) > longestName {
		return ""
	}
	best, fewest := "", len(name)/3+1
	for _, word := range known {
		if edits := editsBetween(strings.ToLower(name), strings.ToLower(word)); edits < fewest {
			best, fewest = word, edits
		}
	}
	for _, word := range known {
		if best == "" && len(name) > 3 && strings.HasPrefix(strings.ToLower(word), strings.ToLower(name)) {
			best = word
		}
	}
	return best
}

// editsBetween returns how many characters must be inserted, deleted or replaced to
// make one word of the other.
func editsBetween(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
