package failoverbackend

import (
	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.FailoverBackend]{
	Description: "Reads a failover backend. It sends traffic to the first child backend that is available.",
	Filters:     crud.ObjectFilters[api.FailoverBackend](),
	Name: func(o *api.FailoverBackend) string {
		return crud.DisplayName(crud.JoinLimited(o.Backends, 3), o.Description)
	},
}
