// Package edgepolicy is what TLS and TCP edges do with their traffic:
// tunnel_tls_edge_policy and tunnel_tcp_edge_policy.
package edgepolicy

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes the policies of one sort of edge to Terraform.
type Kind = crud.Kind[model, api.EdgePolicy]

var (
	// TLS describes the policies of TLS edges.
	TLS = kind("TLS", (*api.Client).TLSEdgePolicy)
	// TCP describes the policies of TCP edges.
	TCP = kind("TCP", (*api.Client).TCPEdgePolicy)
)

func kind(protocol string, policy func(*api.Client, string) api.Module[api.EdgePolicy]) Kind {
	short := strings.ToLower(protocol)
	return crud.Define(Kind{
		Type:   short + "_edge_policy",
		Noun:   protocol + " edge policy",
		Schema: policySchema(protocol),
		Keys: []crud.Key[model]{{
			Name:        "edge_id",
			Description: "Id of the " + protocol + " edge, such as edg" + short + "_2abc.",
			Example:     "edg" + short + "_2abc",
			Of:          func(m *model) *types.String { return &m.EdgeID },
		}},
		Fill:    fill,
		Reading: reading(protocol),
		Operations: crud.Module(
			func(client *api.Client, m *model) api.Module[api.EdgePolicy] {
				return policy(client, m.EdgeID.ValueString())
			},
			func(m *model) types.String { return m.EdgeID },
			body,
		),
	})
}

type model struct {
	EdgeID   types.String `tfsdk:"edge_id"`
	Enabled  types.Bool   `tfsdk:"enabled"`
	Inbound  []rule       `tfsdk:"inbound"`
	Outbound []rule       `tfsdk:"outbound"`
}

func body(m *model) api.EdgePolicy {
	policy := api.EdgePolicy{Enabled: m.Enabled.ValueBoolPointer(), Inbound: requested(m.Inbound)}
	if len(m.Outbound) > 0 { // none at all is null to the service
		policy.Outbound = requested(m.Outbound)
	}
	return policy
}

func fill(answer *api.EdgePolicy, m *model) {
	m.Enabled = crud.EnabledOf(answer.Enabled)
	m.Inbound = answered(m.Inbound, answer.Inbound)
	m.Outbound = answered(m.Outbound, answer.Outbound)
}
