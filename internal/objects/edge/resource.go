// Package edge defines TLS, TCP and HTTPS edges, which receive traffic:
// tunnel_tls_edge, tunnel_tcp_edge and tunnel_https_edge.
package edge

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
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
	TLS = kind("TLS", api.TLSEdges, served, hostports,
		"Its backend, policy and IP restriction are separate resources: `tunnel_tls_edge_backend`, `tunnel_tls_edge_policy` and "+
			"`tunnel_tls_edge_ip_restriction`.")
	// TCP describes TCP edges to Terraform.
	TCP = kind("TCP", api.TCPEdges, assigned, hostports,
		"Its backend, policy and IP restriction are separate resources: `tunnel_tcp_edge_backend`, `tunnel_tcp_edge_policy` and "+
			"`tunnel_tcp_edge_ip_restriction`.")
	// HTTPS describes HTTPS edges to Terraform.
	HTTPS = kind("HTTPS", api.HTTPSEdges, served, func(e *api.HTTPSEdge) []string { return e.Hostports },
		"Its routes are separate `tunnel_https_edge_route` resources.")
)

func hostports(e *api.Edge) []string { return e.Hostports }

// kind defines one kind of edge.
func kind[T any, P interface {
	*T
	Common() *api.Identified
	Described() *api.Object
}](
	protocol string, edges *api.Objects[T], hosts crud.Reference[*model], hostports func(*T) []string, modules string,
) *crud.Definition {
	kind := edges.Kind
	article := crud.WithArticle(kind.Noun)
	suchAs := ", such as `" + example(protocol) + "`. Hostnames are case-insensitive."
	return crud.Define(crud.Kind[*model, *T]{
		Kind:        kind,
		Subcategory: "Edges",
		Schema: schema.Schema{
			Description: strings.ToUpper(
				article[:1],
			) + article[1:] + ". It accepts " + protocol + " traffic on its hosts and ports. " + modules + " Deleting the edge deletes them.",
			Attributes: crud.ObjectAttributes(kind, attributes(protocol)),
		},
		Keys:       crud.ObjectKey[model](kind),
		OtherTypes: []string{"edge_" + strings.ToLower(protocol)},
		References: []crud.Reference[*model]{hosts},
		Fill: func(_ *crud.Provider, answer *T, m *model) {
			m.Object.Fill(P(answer).Described())
			m.Hostports = attribute.HostportType{}.Fill(m.Hostports, hostports(answer))
		},
		Reading: crud.Reading[*model, *T]{
			Description: "Reads " + article + " by `id` or `hostport`. Exactly one of the two must be set.",
			Descriptions: map[string]string{
				"hostports": "Hosts and ports that the edge listens on. Empty if there are none.",
			},
			Filters: crud.ObjectFilters[T, P](
				crud.AmongFilter(
					"hostport", "Returns edges with exactly this entry in `hostports`: a host and port"+suchAs, attribute.HostportFormat, hostports,
				),
			),
			Lookup: crud.AmongLookup[T, P](
				"hostport", "Host and port"+suchAs+" Returns the edge with exactly this entry in `hostports`. Fails if there is none, or if there are "+
					"several. Conflicts with `id`.",
				kind, attribute.HostportFormat, hostports,
			),
			Name: func(o *T) string {
				all, description := hostports(o), P(o).Described().Description
				if len(all) == 0 {
					return crud.DisplayName("no hostports", description)
				}
				return crud.DisplayName(crud.JoinLimited(all, 3), description)
			},
		},
		Operations: crud.Collection(edges, crud.CreateWith(body), body),
	})
}

// served and assigned are the references of an edge to what is reserved for it.
var (
	served = crud.Reference[*model]{
		Attribute: "hostports", To: []*api.Kind{api.ReservedDomains.Kind}, Value: "domain", Of: hostportsOf,
		Hint: "Reserve the domain with tunnel_reserved_domain, and set hostports = [\"${tunnel_reserved_domain.NAME.domain}:443\"]. " +
			"If it is reserved, check the port: TLS and HTTPS edges use port 443.",
	}
	assigned = crud.Reference[*model]{
		Attribute: "hostports", To: []*api.Kind{api.ReservedAddresses.Kind}, Value: "addr", Of: hostportsOf,
		Hint: "Reserve an address with tunnel_reserved_address, and set hostports = [tunnel_reserved_address.NAME.addr].",
	}
)

func hostportsOf(m *model) []string { return attribute.Strings(m.Hostports) }

type model struct {
	crud.Object
	Hostports types.List `tfsdk:"hostports"`
}

func validators(protocol string) []validator.List {
	all := []validator.List{attribute.NoNulls, listvalidator.ValueStringsAre(attribute.Hostport, attribute.FullHost)}
	if protocol == "TCP" {
		return all
	}
	return append(all, attribute.UsualPort("443", protocol+" edges"))
}

func example(protocol string) string {
	if protocol == "TCP" {
		return "1.tcp.example.com:20001"
	}
	return "www.example.com:443"
}

func usualPort(protocol string) string {
	if protocol == "TCP" {
		return ""
	}
	return protocol + " edges use port 443. "
}

func attributes(protocol string) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"hostports": schema.ListAttribute{
			ElementType: attribute.HostportType{},
			Optional:    true,
			Description: "Hosts and ports that the edge listens on, such as `" + example(protocol) + "`. They must be reserved for the account. " +
				usualPort(protocol) + "Hostnames are case-insensitive, and can be in Unicode or punycode. The order has no meaning." +
				"\nDefaults to none. Can be updated in place. At services of this kind, a hostport belongs to one edge. " +
				"A plan cannot know whether another edge has it: the apply fails " +
				"then. To exchange the hostports of two or more edges, set `hostports = []` in one of them and apply. Then set the intended " +
				"hostports, and apply again while one is still in use.",
			Validators:    validators(protocol),
			PlanModifiers: []planmodifier.List{attribute.HostportType{}.KeepElements()},
		},
	}
}

func body(plan *model) api.EdgeBody {
	return api.EdgeBody{Details: plan.Details(), Hostports: attribute.AllASCII(attribute.HostportType{}.Distinct(hostportsOf(plan)))}
}
