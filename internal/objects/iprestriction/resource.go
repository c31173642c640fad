// Package iprestriction defines the IP restrictions of edges and routes:
// tunnel_tls_edge_ip_restriction, tunnel_tcp_edge_ip_restriction and
// tunnel_https_edge_route_ip_restriction.
package iprestriction

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/edgemodule"
)

var (
	// TLS describes the IP restrictions of TLS edges to Terraform.
	TLS = ofEdge(api.TLSEdgeIPRestriction, api.TLSEdges)
	// TCP describes the IP restrictions of TCP edges to Terraform.
	TCP = ofEdge(api.TCPEdgeIPRestriction, api.TCPEdges)
	// HTTPSRoute describes the IP restrictions of HTTPS edge routes to Terraform.
	HTTPSRoute = edgemodule.OfRoute(
		edgemodule.Module[routeModel, api.HTTPSEdgeRoute, api.IPRestriction]{
			Modules: api.HTTPSEdgeRouteIPRestriction,
			Part:    func(r *api.HTTPSEdgeRoute) api.Part[api.IPRestriction] { return r.IPRestriction },
			Body:    func(m *routeModel) api.IPRestriction { return m.body() },
		},
		kind(api.HTTPSEdgeRoutes.Noun, func(m *routeModel) *restriction { return &m.restriction }),
	)
)

type edgeModel struct {
	edgemodule.InEdge
	restriction
}

type routeModel struct {
	edgemodule.InRoute
	restriction
}

// restriction contains the attributes that both models share.
type restriction struct {
	Enabled     types.Bool `tfsdk:"enabled"`
	IPPolicyIDs types.List `tfsdk:"ip_policy_ids"`
}

func ofEdge(modules *api.Modules[api.IPRestriction], edges *api.Objects[api.Edge]) *crud.Definition {
	return edgemodule.OfEdge(
		edges,
		edgemodule.Module[edgeModel, api.Edge, api.IPRestriction]{
			Modules: modules,
			Part:    func(e *api.Edge) api.Part[api.IPRestriction] { return e.IPRestriction },
			Body:    func(m *edgeModel) api.IPRestriction { return m.body() },
		},
		kind(edges.Noun, func(m *edgeModel) *restriction { return &m.restriction }),
	)
}

// kind returns what does not depend on the parent's keys.
func kind[M any](parent string, of func(*M) *restriction) crud.Kind[*M, *api.IPRestriction] {
	return crud.Kind[*M, *api.IPRestriction]{
		Schema: schema.Schema{
			Description: "The IP restriction of " + crud.WithArticle(parent) + ": only addresses that the IP policies allow can connect. " +
				"Without it, everybody can connect: add it to `depends_on` of the backend resource, so that connections start when it exists. Each " +
				parent + " has at most one. Creating the resource fails if an IP restriction is already set: import it, unless another resource " +
				"manages the same " + parent + ". If two configurations manage it, the last write wins, because the API replaces the IP restriction. " +
				"The API documentation does not describe IP restrictions: this resource matches public services of this kind.",
			Attributes: map[string]schema.Attribute{
				"enabled": crud.Enabled("IP restriction"),
				"ip_policy_ids": schema.ListAttribute{
					ElementType: attribute.TextType{},
					Required:    true,
					Description: "IDs of the IP policies, such as `" + api.IPPolicies.Example() + "`. The API documentation does not say " +
						"whom an empty list lets in. The order has no meaning.\nCan be updated in place.",
					Validators: []validator.List{
						attribute.NoNulls, listvalidator.ValueStringsAre(crud.ID(api.IPPolicies.Kind)...),
						attribute.UsuallyFull("The API documentation does not say whether this lets everybody in, or nobody."),
					},
					PlanModifiers: []planmodifier.List{attribute.TextType{}.KeepElements()},
				},
			},
		},
		References: []crud.Reference[*M]{{
			Attribute: "ip_policy_ids", To: []*api.Kind{api.IPPolicies.Kind},
			Of: func(m *M) []string { return attribute.Strings(of(m).IPPolicyIDs) },
		}},
		Fill: func(_ *crud.Provider, answer *api.IPRestriction, m *M) {
			of(m).Enabled = crud.EnabledOf(answer.Enabled)
			of(m).IPPolicyIDs = attribute.TextType{}.Fill(of(m).IPPolicyIDs, answer.IDs())
		},
		Reading: crud.Reading[*M, *api.IPRestriction]{
			Description: "Reads the IP restriction of " + crud.WithArticle(parent) + ". Fails if no IP restriction is set.",
		},
	}
}

func (r *restriction) body() api.IPRestriction {
	ids := attribute.TextType{}.Distinct(attribute.Strings(r.IPPolicyIDs))
	return api.IPRestriction{Enabled: r.Enabled.ValueBoolPointer(), IPPolicyIDs: ids}
}
