package explore

import (
	"regexp"
	"slices"
	"strings"
)

// UnknownOutcome begins the error of a creation that may have been processed. The tests
// of the provider check that it still does, and that it advises imports in the form of
// advice.
const UnknownOutcome = "Could not determine whether "

// Message is an error that a run has printed.
type Message struct {
	Address string // of the resource; empty if it is about none
	Text    string
}

// Told is what runs have printed.
type Told struct {
	Errors   []Message
	Progress []string // ids
}

// names reports whether an error has the id of an object or says that it may exist, or
// the progress shows it.
func (t Told) names(object Object) bool {
	return slices.Contains(t.Progress, object.ID) || slices.ContainsFunc(t.Errors, func(m Message) bool {
		return strings.Contains(m.Text, object.ID) || m.Address == object.Address && strings.HasPrefix(m.Text, UnknownOutcome)
	})
}

// Import is an import that an error advises.
type Import struct {
	Address string `json:"address"`
	ID      string `json:"id"`
}

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
