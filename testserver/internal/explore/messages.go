package explore

import (
	"regexp"
	"slices"
	"strings"
)

// Message is an error that a run has printed.
type Message struct {
	Address string // of the resource; empty if it is about none
	Text    string
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
