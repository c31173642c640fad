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
	tlsEdges = objects(kind[Edge]{noun: "TLS edge", path: "/edges/tls", list: "tls_edges"})
	tcpEdges = objects(kind[Edge]{noun: "TCP edge", path: "/edges/tcp", list: "tcp_edges"})
)

// TLSEdges returns the account's TLS edges.
func (c *Client) TLSEdges() *Edges { return collection(c, tlsEdges) }

// TCPEdges returns the account's TCP edges.
func (c *Client) TCPEdges() *Edges { return collection(c, tcpEdges) }
