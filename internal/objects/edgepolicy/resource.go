// Package edgepolicy defines the traffic policies of TLS and TCP edges:
// tunnel_tls_edge_policy and tunnel_tcp_edge_policy.
package edgepolicy

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/edgemodule"
)

var (
	// TLS describes the policies of TLS edges.
	TLS = kind("TLS", api.TLSEdgePolicy, api.TLSEdges)
	// TCP describes the policies of TCP edges.
	TCP = kind("TCP", api.TCPEdgePolicy, api.TCPEdges)
)

func kind(protocol string, policies *api.Modules[api.EdgePolicy], edges *api.Objects[api.Edge]) *crud.Definition {
	return edgemodule.OfEdge(
		edges,
		edgemodule.Module[model, api.Edge, api.EdgePolicy]{
			Modules: policies,
			Part:    func(e *api.Edge) api.Part[api.EdgePolicy] { return e.Policy },
			Body:    body,
		},
		crud.Kind[*model, *api.EdgePolicy]{
			Schema: policySchema(protocol), Fill: fill, Reading: reading(protocol),
			References: []crud.Reference[*model]{{Attribute: "inbound", Field: "ip_policies", To: []*api.Kind{api.IPPolicies.Kind}, Of: ipPolicies}},
		},
	)
}

type model struct {
	edgemodule.InEdge
	Enabled  types.Bool `tfsdk:"enabled"`
	Inbound  []rule     `tfsdk:"inbound"`
	Outbound []rule     `tfsdk:"outbound"`
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

// ipPolicies returns the IDs of the IP policies that restrict-ips actions name.
func ipPolicies(m *model) (ids []string) {
	for _, rule := range m.Inbound {
		for _, action := range rule.Actions {
			var config struct {
				IPPolicies []string `json:"ip_policies"`
			}
			if action.Type.ValueString() == "restrict-ips" && json.Unmarshal([]byte(action.Config.ValueString()), &config) == nil {
				ids = append(ids, config.IPPolicies...)
			}
		}
	}
	return ids
}
