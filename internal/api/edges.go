package api

// Edge is a TLS or TCP edge: an entry point for traffic to some hosts and
// ports. Its modules are objects of their own, which are only read here.
type Edge struct {
	Object
	Hostports     []string            `json:"hostports"` // host:port, in any order
	Backend       Part[EdgeBackend]   `json:"backend"`
	Policy        Part[EdgePolicy]    `json:"policy"`
	IPRestriction Part[IPRestriction] `json:"ip_restriction"`
}

// EdgeBody is the body that creates or updates an edge of any kind. It holds no
// module.
type EdgeBody struct {
	Details
	Hostports []string `json:"hostports"` // never nil
}

var (
	// TLSEdges are the TLS edges of the account.
	TLSEdges = identified[Edge](Kind{Noun: "TLS edge", Prefix: "edgtls_", Path: "/edges/tls", ListField: "tls_edges"})
	// TCPEdges are the TCP edges of the account.
	TCPEdges = identified[Edge](Kind{Noun: "TCP edge", Prefix: "edgtcp_", Path: "/edges/tcp", ListField: "tcp_edges"})
)
