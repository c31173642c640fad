package attribute

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// eventNames are the names of the event types in public use, without version.
// The service may know others.
var eventNames = func() []string {
	names := []string{"http_request_complete", "tcp_connection_closed", "agent_session_start", "agent_session_stop"}
	for _, object := range eventObjects {
		names = append(names, object+"_created", object+"_updated", object+"_deleted")
	}
	return names
}()

// eventObjects are the objects whose creation, update and deletion are events.
var eventObjects = []string{
	"api_key",
	"certificate_authority",
	"domain",
	"event_destination",
	"event_subscription",
	"ip_policy",
	"ip_policy_rule",
	"ip_restriction",
	"ssh_certificate_authority",
	"ssh_host_certificate",
	"ssh_public_key",
	"ssh_user_certificate",
	"tcp_address",
	"tls_certificate",
	"tunnel_credential",
}

// EventType are the validators of an event type: its form, and a warning about
// an unusual name. They do not check whether the service knows the type.
var EventType = []validator.String{
	Check("an event type with its version, such as ip_policy_created.v0", checkEventType),
	Unusual("a usual event type", checkEventName),
}

var (
	eventType      = regexp.MustCompile(`^[^/]+\.v[0-9]+$`)
	usualEventType = regexp.MustCompile(`^[a-z][a-z0-9_]*\.v[0-9]+$`)
)

// checkEventType returns an error if text does not have the form
// <name>.v<number>.
func checkEventType(text string) error {
	switch {
	case strings.Contains(text, "*"):
		return fmt.Errorf("must be one event type with its version, such as ip_policy_created.v0; found %s. Wildcards are not supported: "+
			"create one resource for each type", quote.Value(text))
	case strings.ContainsFunc(text, isBlank) || strings.Contains(text, "/"):
		return fmt.Errorf(
			"must be an event type with its version, such as ip_policy_created.v0, without white space and slashes; found %s", quote.Value(text),
		)
	case eventType.MatchString(text):
		return nil
	}
	name := strings.TrimSuffix(strings.TrimSuffix(text, ".v"), ".")
	if name != "" && !strings.Contains(name, ".") && !quote.Hides(text) {
		return fmt.Errorf("must end with the version of the event type; found %s. Did you mean %s?", quote.Value(text), quote.Value(name+".v0"))
	}
	return fmt.Errorf("must be an event type with its version, such as ip_policy_created.v0; found %s", quote.Value(text))
}

// checkEventName returns an error if an event type is one edit away from one in
// public use, or does not consist of lowercase letters, digits and underscores
// as these do. It returns nil if checkEventType reports an error.
func checkEventName(text string) error {
	if checkEventType(text) != nil {
		return nil //nolint:nilerr // checkEventType reports it
	}
	name, version, _ := cutLast(text, ".")
	if meant := OneEditFrom(name, eventNames...); meant != "" {
		return fmt.Errorf(
			"is %s, which is not a known event type but is similar to %s. Check the spelling", quote.Value(text), quote.Value(meant+"."+version),
		)
	}
	if !usualEventType.MatchString(text) {
		return fmt.Errorf(
			"is %s; event types usually have the form ip_policy_created.v0, with lowercase letters, digits and underscores", quote.Value(text),
		)
	}
	return nil
}
