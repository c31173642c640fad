package httpresponsebackend

import (
	"fmt"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.HTTPResponseBackend]{
	Description: "Reads an HTTP response backend. It returns the same response for every request.",
	Descriptions: map[string]string{
		"body":    "Body of the response. Null if it is empty.",
		"headers": "Headers of the response, with lowercase names. Empty if there are none.",
	},
	Filters: crud.ObjectFilters[api.HTTPResponseBackend](),
	Name: func(o *api.HTTPResponseBackend) string {
		return crud.DisplayName(fmt.Sprint(o.StatusCode), o.Description)
	},
}
