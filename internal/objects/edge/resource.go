// Package edge defines TLS, TCP and HTTPS edges, which receive traffic:
// tunnel_tls_edge, tunnel_tcp_edge and tunnel_https_edge.
package edge

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var (
	// TLS describes TLS edges to Terraform.
	TLS = kind("TLS", "edgtls_2abc", (*api.Client).TLSEdges, tunnelEdge,
		"Its backend and policy are separate resources: `tunnel_tls_edge_backend` and `tunnel_tls_edge_policy`.")
	// TCP describes TCP edges to Terraform.
	TCP = kind("TCP", "edgtcp_2abc", (*api.Client).TCPEdges, tunnelEdge,
		"Its backend and policy are separate resources: `tunnel_tcp_edge_backend` and `tunnel_tcp_edge_policy`.")
	// HTTPS describes HTTPS edges to Terraform.
	HTTPS = kind("HTTPS", "edghts_2abc", (*api.Client).HTTPSEdges, func(e *api.HTTPSEdge) (*api.Object, []string) { return &e.Object, e.Hostports },
		"Its routes are separate `tunnel_https_edge_route` resources.")
)

func tunnelEdge(e *api.Edge) (*api.Object, []string) { return &e.Object, e.Hostports }

// kind defines one kind of edge. parts returns the fields of the API object
// that belong to the edge itself and not to its modules.
func kind[T any](
	protocol, example string,
	edges func(*api.Client) *api.Collection[T],
	parts func(*T) (*api.Object, []string),
	modules string,
) crud.Kind[model, T] {
	noun := protocol + " edge"
	article := crud.WithArticle(noun)
	return crud.Define(crud.Kind[model, T]{
		Type: strings.ToLower(protocol) + "_edge",
		Noun: noun,
		Schema: schema.Schema{
			Description: strings.ToUpper(article[:1]) + article[1:] + ". It accepts " + protocol + " traffic on its hosts and ports. " + modules + " Deleting the edge deletes them.",
			Attributes:  crud.ObjectAttributes(noun, attributes(protocol)),
		},
		Keys: crud.ObjectKey(func(m *model) *crud.Object { return &m.Object }, noun, example),
		Fill: func(answer *T, m *model) {
			object, hostports := parts(answer)
			m.Object.Fill(object)
			m.Hostports = attribute.OptionalSet(m.Hostports, hostports)
		},
		Reading: crud.Reading[model, T]{
			Description: "Reads " + article + ". It accepts " + protocol + " traffic on its hosts and ports.",
			Plural:      strings.ToLower(protocol) + "_edges",
			Nouns:       protocol + " edges",
			Descriptions: crud.ObjectWords(noun, map[string]string{
				"hostports": "Hosts and ports that the edge listens on. Null if there are none.",
			}),
			Filters: crud.ObjectFilters(func(o *T) *api.Object { object, _ := parts(o); return object }),
			Name: func(o *T) string {
				object, hostports := parts(o)
				if len(hostports) == 0 {
					return crud.DisplayName("no hostports", object.Description)
				}
				return crud.DisplayName(crud.JoinLimited(hostports, 3), object.Description)
			},
			Compare: func(a, b *model) int { return a.Object.Compare(&b.Object) },
		},
		Operations: crud.Collection(
			func(client *api.Client, _ *model) *api.Collection[T] {
				return edges(client)
			},
			func(m *model) types.String { return m.ID },
			create, update,
		),
	})
}

type model struct {
	crud.Object
	Hostports types.Set `tfsdk:"hostports"`
}

func attributes(protocol string) map[string]schema.Attribute {
	example := "www.example.com:443"
	if protocol == "TCP" {
		example = "1.tcp.example.com:20001"
	}
	return map[string]schema.Attribute{
		"hostports": schema.SetAttribute{
			ElementType:   attribute.HostportType{},
			Optional:      true,
			Description:   "Hosts and ports that the edge listens on, such as `" + example + "`. They must be reserved for the account. Hostnames are case-insensitive. Defaults to none. Can be updated in place.",
			Validators:    []validator.Set{attribute.NoNulls, setvalidator.ValueStringsAre(attribute.Hostport...)},
			PlanModifiers: []planmodifier.Set{attribute.HostportType{}.KeepSameSet()},
		},
	}
}

func create(plan, _ *model) api.EdgeCreate {
	return api.EdgeCreate{Details: plan.Details(), Hostports: attribute.SortedStrings(plan.Hostports)}
}

func update(plan *model) api.EdgeUpdate {
	return api.EdgeUpdate{DetailsUpdate: plan.DetailsUpdate(), Hostports: attribute.SortedStrings(plan.Hostports)}
}
