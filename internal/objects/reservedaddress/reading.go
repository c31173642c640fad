package reservedaddress

import (
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.ReservedAddress]{
	Description: "Reads a reserved address by `id` or `addr`. Exactly one of the two must be set.",
	Filters:     crud.ObjectFilters[api.ReservedAddress](),
	Name:        func(o *api.ReservedAddress) string { return crud.DisplayName(o.Addr, o.Description) },
	Lookup: crud.EqualLookup(
		"addr",
		"Host and port, such as `1.tcp.example.com:20001`. Case-insensitive. Conflicts with `id`.",
		api.ReservedAddresses.Kind, strings.EqualFold, func(o *api.ReservedAddress) string { return o.Addr },
	),
}
