package api

// Edge is a TLS or TCP edge: an entry point for traffic to some hosts and
// ports. Its modules are objects of their own, which are only read here.
type Edge struct {
	Object
	Hostports []string     `json:"hostports"` // host:port, in any order
	Backend   *EdgeBackend `json:"backend"`   // nil if not set
	Policy    *EdgePolicy  `json:"policy"`    // nil if not set
}

// EdgeCreate is the body that creates an edge of any kind.
type EdgeCreate struct {
	Details
	Hostports []string `json:"hostports"`
}

// EdgeUpdate is the body that updates an edge of any kind. It holds no module.
type EdgeUpdate struct {
	DetailsUpdate
	Hostports []string `json:"hostports"` // never nil
}

var (
	// TLSEdgeKind names TLS edges.
	TLSEdgeKind = newKind(Kind{Noun: "TLS edge", Prefix: "edgtls_", Path: "/edges/tls", ListField: "tls_edges"})
	// TCPEdgeKind names TCP edges.
	TCPEdgeKind = newKind(Kind{Noun: "TCP edge", Prefix: "edgtcp_", Path: "/edges/tcp", ListField: "tcp_edges"})

	// TLSEdges returns the account's TLS edges.
	TLSEdges = objects(kind[Edge]{Kind: TLSEdgeKind})
	// TCPEdges returns the account's TCP edges.
	TCPEdges = objects(kind[Edge]{Kind: TCPEdgeKind})
)
