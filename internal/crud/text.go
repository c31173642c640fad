package crud

import (
	"fmt"
	"strings"
)

// Titled returns the name of an object among others: what it is, and what its
// description says beside.
func Titled(what, description string) string {
	if description == "" {
		return what
	}
	return what + ": " + description
}

// Some returns the first few of many texts, and how many there are beside.
func Some(texts []string, few int) string {
	if len(texts) <= few+1 { // the one that is left takes no more room than its number
		return strings.Join(texts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(texts[:few], ", "), len(texts)-few)
}
