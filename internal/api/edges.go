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

// Edges is the collection at /edges/tls or /edges/tcp.
type Edges = Collection[Edge]

var (
	tlsEdges = edges("TLS edge", "/edges/tls", "tls_edges")
	tcpEdges = edges("TCP edge", "/edges/tcp", "tcp_edges")
)

func edges(noun, path, list string) *kind[Edge] {
	return describe(kind[Edge]{
		noun: noun, path: path, list: list,
		id:      func(o *Edge) string { return o.ID },
		created: func(o *Edge) string { return string(o.CreatedAt) },
	})
}

// TLSEdges returns the account's TLS edges.
func (c *Client) TLSEdges() *Edges { return collection[Edge](c, tlsEdges) }

// TCPEdges returns the account's TCP edges.
func (c *Client) TCPEdges() *Edges { return collection[Edge](c, tcpEdges) }
