package explore

import (
	"regexp"
	"slices"
	"strings"
)

// Message is an error, or something else that a run has printed.
type Message struct {
	Address string // of the resource; empty if it is about none
	Text    string
}

// names reports whether messages have the id of an object, or are about its resource.
func names(told []Message, object Object) bool {
	return slices.ContainsFunc(told, func(m Message) bool { return m.Address == object.Address || strings.Contains(m.Text, object.ID) })
}

// Import is an import that an error advises.
type Import struct {
	Address string `json:"address"`
	ID      string `json:"id"`
}

// advice is how errors advise imports. The tests of the provider check that they do.
var advice = regexp.MustCompile(`(?m)^\s*terraform import (\S+) ('[^']+'|\S+)$`)

// Imports returns the imports that errors advise. The address is that of the resource
// that has the error, because the text has NAME in it.
func Imports(errors []Message) []Import {
	var all []Import
	for _, message := range errors {
		found := advice.FindStringSubmatch(message.Text)
		if found == nil || found[2] == "ID" {
			continue
		}
		one := Import{found[1], strings.Trim(found[2], "'")}
		if message.Address != "" {
			one.Address = message.Address
		}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
