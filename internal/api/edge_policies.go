package api

import "encoding/json"

// EdgePolicy is the traffic policy of a TLS or TCP edge.
type EdgePolicy struct {
	// Enabled reports whether the policy is applied to traffic. nil means true.
	Enabled *bool `json:"enabled,omitempty"`
	// Inbound and Outbound are the rules, in order. Absent, null and an empty list
	// mean the same.
	Inbound  []EndpointRule `json:"inbound"`
	Outbound []EndpointRule `json:"outbound"`
}

// EndpointRule applies its actions to the traffic that its expressions select.
type EndpointRule struct {
	Name        string           `json:"name,omitempty"`
	Expressions []string         `json:"expressions"` // CEL
	Actions     []EndpointAction `json:"actions"`
}

// EndpointAction is one action of a rule.
type EndpointAction struct {
	Type string `json:"type"` // deny, log, restrict-ips, …
	// Config is a JSON object, with numbers as they are written. It is empty or
	// null if the action has no config.
	Config json.RawMessage `json:"config,omitempty"`
}

var (
	// TLSEdgePolicy are the policies of TLS edges.
	TLSEdgePolicy = edgeModules[EdgePolicy](Kind{Noun: "TLS edge policy", Path: "/edges/tls/{edge_id}/policy"}, TLSEdges)
	// TCPEdgePolicy are the policies of TCP edges.
	TCPEdgePolicy = edgeModules[EdgePolicy](Kind{Noun: "TCP edge policy", Path: "/edges/tcp/{edge_id}/policy"}, TCPEdges)
)
