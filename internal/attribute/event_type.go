package attribute

import (
	"fmt"
	"regexp"
)

// EventType is a validator of an event type's form. Which types there are, the
// service knows.
var EventType = Check("an event type with its version, such as ip_policy_created.v0", CheckEventType)

var eventType = regexp.MustCompile(`^[a-z][a-z0-9_]*\.v[0-9]+$`)

// CheckEventType says what is wrong with the form of an event type.
func CheckEventType(text string) error {
	if eventType.MatchString(text) {
		return nil
	}
	if versioned := text + ".v0"; eventType.MatchString(versioned) {
		return fmt.Errorf("must end with the event type version; found %q, use %q", text, versioned)
	}
	return fmt.Errorf("must be an event type with its version, such as ip_policy_created.v0 (lowercase letters, digits and underscores); found %q", text)
}
