package eventsource

import (
	"regexp"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[model, api.EventSource]{
	Description: "Reads an event source, which is one type of event that triggers an event subscription. It is an error where the subscription does not have the type.",
	Plural:      "event_sources",
	Nouns:       "event sources",
	Words: map[string]string{
		"subscription_id": "Id of the event subscription, such as esb_2abc.",
		"type":            "The event type with its version, such as ip_policy_created.v0.",
	},
	Filters: []crud.Filter[api.EventSource]{
		crud.TextFilter("type_regex", "Only those whose type matches this regular expression, in RE2 syntax: ^ip_policy_, for instance. It may match any part.",
			regexp.Compile, func(expression *regexp.Regexp, o *api.EventSource) bool { return expression.MatchString(o.Type) }),
	},
	Name: func(o *api.EventSource) string { return o.Type },
}
