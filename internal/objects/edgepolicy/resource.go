// Package edgepolicy defines the traffic policies of TLS and TCP edges:
// tunnel_tls_edge_policy and tunnel_tcp_edge_policy.
package edgepolicy

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var (
	// TLS describes the policies of TLS edges.
	TLS = kind("TLS", api.TLSEdgePolicy, api.TLSEdges)
	// TCP describes the policies of TCP edges.
	TCP = kind("TCP", api.TCPEdgePolicy, api.TCPEdges)
)

func kind(protocol string, policies *api.Modules[api.EdgePolicy], edges *api.Objects[api.Edge]) crud.Definition {
	return crud.Define(crud.Kind[model, api.EdgePolicy]{
		Kind:        policies.Kind,
		Subcategory: "Edges",
		Schema:      policySchema(protocol, edges.Kind),
		Keys:        []crud.Key[model]{{Name: "edge_id", Kind: edges.Kind, Parent: true, Of: edgeID}},
		Fill:        fill,
		Reading:     reading(protocol),
		Operations: crud.Module(
			policies,
			func(m *model) bool { return !m.Enabled.IsNull() },
			body,
			edges, items, edgeID,
		),
	})
}

func edgeID(m *model) *types.String { return &m.EdgeID }

// items returns the policy of an edge, if it has one.
func items(edge *api.Edge) []crud.Item[model, api.EdgePolicy] {
	return crud.PartItems(model{EdgeID: types.StringValue(edge.ID)}, edge.Policy)
}

type model struct {
	EdgeID   types.String `tfsdk:"edge_id"`
	Enabled  types.Bool   `tfsdk:"enabled"`
	Inbound  []rule       `tfsdk:"inbound"`
	Outbound []rule       `tfsdk:"outbound"`
}

func body(m *model) api.EdgePolicy {
	policy := api.EdgePolicy{Enabled: m.Enabled.ValueBoolPointer(), Inbound: requested(m.Inbound)}
	if len(m.Outbound) > 0 { // an empty list is sent as null
		policy.Outbound = requested(m.Outbound)
	}
	return policy
}

func fill(_ *crud.Provider, answer *api.EdgePolicy, m *model) {
	m.Enabled = crud.EnabledOf(answer.Enabled)
	m.Inbound = answered(m.Inbound, answer.Inbound)
	m.Outbound = answered(m.Outbound, answer.Outbound)
}
