package api

// FailoverBackend sends traffic to the first of its child backends that is up.
type FailoverBackend struct {
	Object
	Backends []string `json:"backends"` // ids, in order
}

// FailoverBackendCreate is the body that creates a failover backend.
type FailoverBackendCreate struct {
	Details
	Backends []string `json:"backends"`
}

// FailoverBackendUpdate is the body that updates a failover backend. A service
// may treat an omitted list as an empty one, so Backends is never omitted.
type FailoverBackendUpdate struct {
	DetailsUpdate
	Backends []string `json:"backends"`
}

// FailoverBackends is the collection at /backends/failover.
type FailoverBackends = Collection[FailoverBackend]

var failoverBackends = objects(kind[FailoverBackend]{noun: "failover backend", path: "/backends/failover", list: "backends"})

// FailoverBackends returns the account's failover backends.
func (c *Client) FailoverBackends() *FailoverBackends { return collection(c, failoverBackends) }
