package api

// Edge is a TLS or TCP edge: an entry point for traffic to some hosts and
// ports. Its modules are objects of their own, which are only read here.
type Edge struct {
	Object
	Hostports []string          `json:"hostports"` // host:port, in any order
	Backend   Part[EdgeBackend] `json:"backend"`
	Policy    Part[EdgePolicy]  `json:"policy"`
}

// EdgeBody is the body that creates or updates an edge of any kind. It holds no
// module.
type EdgeBody struct {
	Details
	Hostports []string `json:"hostports"` // never nil
}

var (
	// TLSEdgeKind names TLS edges, and TLSEdges returns those of the account.
	TLSEdgeKind, TLSEdges = objects[Edge](Kind{Noun: "TLS edge", Prefix: "edgtls_", Path: "/edges/tls", ListField: "tls_edges"})
	// TCPEdgeKind names TCP edges, and TCPEdges returns those of the account.
	TCPEdgeKind, TCPEdges = objects[Edge](Kind{Noun: "TCP edge", Prefix: "edgtcp_", Path: "/edges/tcp", ListField: "tcp_edges"})
)
