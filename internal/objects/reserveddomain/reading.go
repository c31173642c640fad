package reserveddomain

import (
	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var reading = crud.Reading[*model, *api.ReservedDomain]{
	Description: "Reads a reserved domain by `id` or `domain`. Exactly one of the two must be set.",
	Descriptions: map[string]string{
		"certificate_id": "ID of the TLS certificate that a user has assigned. Null if there is none, or with " +
			"`certificate_management_policy`.",
		"certificate_management_policy":           "How the service gets a certificate for the domain. Null if it does not.",
		"certificate_management_policy.authority": "Certificate authority, such as `letsencrypt`.",
	},
	Filters: crud.ObjectFilters[api.ReservedDomain](
		crud.EqualFilter("certificate_id", "Returns domains that use the TLS certificate with this ID.",
			func(o *api.ReservedDomain) string { return o.Certificate.ID }),
	),
	Name: func(o *api.ReservedDomain) string { return crud.DisplayName(o.Domain, o.Description) },
	Lookup: crud.EqualLookup("domain", "Domain, such as `www.example.com` or `*.example.com`. Case-insensitive. Conflicts with `id`.",
		api.ReservedDomains.Kind, attribute.SameDomain, func(o *api.ReservedDomain) string { return o.Domain }),
}
