package eventsource

import (
	"regexp"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.EventSource]{
	Description: "Reads an event source: an event type of an event subscription. Fails if the subscription does not have this type.",
	Filters: []crud.Filter{
		crud.TextFilter("type_regex", "Returns event sources whose type matches this regular expression in RE2 syntax, such as `^ip_policy_`.",
			attribute.ParseExpression, func(expression *regexp.Regexp, o *api.EventSource) bool { return expression.MatchString(o.Type) }),
	},
	Name: func(o *api.EventSource) string { return o.Type },
}
