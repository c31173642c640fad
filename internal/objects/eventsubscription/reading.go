package eventsubscription

import (
	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.EventSubscription]{
	Description: "Reads an event subscription. It sends events to event destinations.",
	Descriptions: map[string]string{
		"destination_ids": "IDs of the event destinations. Empty if there are none.",
	},
	Filters: crud.ObjectFilters[api.EventSubscription](),
	Name: func(o *api.EventSubscription) string {
		types := make([]string, len(o.Sources))
		for i, source := range o.Sources {
			types[i] = source.Type
		}
		if len(types) == 0 {
			types = []string{"no event sources"}
		}
		return crud.DisplayName(crud.JoinLimited(types, 3), o.Description)
	},
}
