// Package reservedaddress defines hosts and ports that TCP edges can serve:
// tunnel_reserved_address.
package reservedaddress

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes reserved addresses to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.ReservedAddress]{
	Kind:        api.ReservedAddresses.Kind,
	Subcategory: "Domains",
	Schema: schema.Schema{
		Description: "A reserved address: a host and port that the service assigns. TCP edges of the account can serve it. " +
			crud.ReplaceInUse("an address") + " The new address is another one. " +
			"The API documentation does not describe reserved addresses: this resource matches public services of this kind.",
		Attributes: crud.ObjectAttributes(api.ReservedAddresses.Kind, map[string]schema.Attribute{
			"addr": crud.Computed(
				"Host and port that the service has assigned, such as `1.tcp.example.com:20001`. Use it in `hostports` of a TCP edge.",
			),
		}),
	},
	Keys:       crud.ObjectKey[model](api.ReservedAddresses.Kind),
	OtherTypes: []string{"reserved_addr", "tcp_address"},
	Fill:       fill,
	Reading:    reading,
	NamedBy:    func(m *model, hostport string) bool { return strings.EqualFold(hostport, m.Addr.ValueString()) },
	Operations: crud.Collection(api.ReservedAddresses, crud.CreateWith(body), body),
})

type model struct {
	crud.Object
	Addr types.String `tfsdk:"addr"`
}

func body(plan *model) api.Details { return plan.Details() }

func fill(_ *crud.Provider, answer *api.ReservedAddress, m *model) {
	m.Object.Fill(&answer.Object)
	m.Addr = types.StringValue(answer.Addr)
}
