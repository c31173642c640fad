package attribute

import (
	"fmt"
	"regexp"
)

// EventType validates the format of an event type. It does not check whether
// the service knows the type.
var EventType = Check("an event type with its version, such as ip_policy_created.v0", CheckEventType)

var eventType = regexp.MustCompile(`^[a-z][a-z0-9_]*\.v[0-9]+$`)

// CheckEventType returns an error if text does not have the format of an event
// type with its version.
func CheckEventType(text string) error {
	if eventType.MatchString(text) {
		return nil
	}
	if versioned := text + ".v0"; eventType.MatchString(versioned) {
		return fmt.Errorf("must end with the event type version; found %q, use %q", text, versioned)
	}
	return fmt.Errorf("must be an event type with its version, such as ip_policy_created.v0 (lowercase letters, digits and underscores); found %q", text)
}
