package api

import "encoding/json"

// EdgePolicy is what a TLS or TCP edge does with its traffic.
type EdgePolicy struct {
	// Enabled tells whether the policy is applied; nil is true.
	Enabled *bool `json:"enabled,omitempty"`
	// Inbound and Outbound are rules, in order. None, null and an empty list are
	// the same.
	Inbound  []EndpointRule `json:"inbound"`
	Outbound []EndpointRule `json:"outbound"`
}

// EndpointRule does its actions with the traffic that its expressions select.
type EndpointRule struct {
	Name        string           `json:"name,omitempty"`
	Expressions []string         `json:"expressions"` // CEL
	Actions     []EndpointAction `json:"actions"`
}

// EndpointAction is one thing that a rule does.
type EndpointAction struct {
	Type string `json:"type"` // deny, log, restrict-ips, …
	// Config is a JSON object, kept as it is spelled, numbers included; empty or
	// null where the action takes none.
	Config json.RawMessage `json:"config,omitempty"`
}

// TLSEdgePolicy is the policy at /edges/tls/{id}/policy.
func (c *Client) TLSEdgePolicy(edgeID string) Module[EdgePolicy] {
	return module[EdgePolicy](c, "policy of TLS edge "+edgeID, "edges", "tls", edgeID, "policy")
}

// TCPEdgePolicy is the policy at /edges/tcp/{id}/policy.
func (c *Client) TCPEdgePolicy(edgeID string) Module[EdgePolicy] {
	return module[EdgePolicy](c, "policy of TCP edge "+edgeID, "edges", "tcp", edgeID, "policy")
}
