package api

import "slices"

// IPRestriction lets only connections pass that its IP policies allow.
type IPRestriction struct {
	// Enabled reports whether the restriction is applied. nil means true.
	Enabled *bool `json:"enabled,omitempty"`
	// IPPolicyIDs are the policies in a request. It is never nil there.
	IPPolicyIDs IDs `json:"ip_policy_ids"`
	// IPPolicies are the policies in a response.
	IPPolicies IDs `json:"ip_policies,omitempty"`
}

// IDs returns the ids of the policies.
func (r *IPRestriction) IDs() []string { return slices.Concat(r.IPPolicyIDs, r.IPPolicies) }

var (
	// TLSEdgeIPRestriction are the IP restrictions of TLS edges.
	TLSEdgeIPRestriction = edgeModules[IPRestriction](
		Kind{Noun: "TLS edge IP restriction", Path: "/edges/tls/{edge_id}/ip_restriction"}, TLSEdges,
	)
	// TCPEdgeIPRestriction are the IP restrictions of TCP edges.
	TCPEdgeIPRestriction = edgeModules[IPRestriction](
		Kind{Noun: "TCP edge IP restriction", Path: "/edges/tcp/{edge_id}/ip_restriction"}, TCPEdges,
	)
	// HTTPSEdgeRouteIPRestriction are the IP restrictions of HTTPS edge routes.
	HTTPSEdgeRouteIPRestriction = routeModules[IPRestriction](
		Kind{Noun: "HTTPS edge route IP restriction", Path: "/edges/https/{edge_id}/routes/{route_id}/ip_restriction"},
	)
)
