package crud

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// timeoutsAttribute is the attribute timeouts, which every resource has.
var timeoutsAttribute = func() schema.Attribute {
	limit := func(what string) string {
		return "How long " + what + " may take, waits for a rate limit included, as a duration such as 90s, 5m or 1h. 20m by default."
	}
	attribute, ok := timeouts.Attributes(context.Background(), timeouts.Opts{
		Create: true, CreateDescription: limit("creation"),
		Read: true, ReadDescription: limit("a refresh"),
		Update: true, UpdateDescription: limit("a change in place"),
		Delete: true, DeleteDescription: limit("deletion"),
	}).(schema.SingleNestedAttribute)
	if ok {
		attribute.Description = "How long operations may take. Kept in the state only; a change here changes nothing at the service."
	}
	return attribute
}()
