package api

import "slices"

// FailoverBackend sends traffic to the first of its child backends that is up.
type FailoverBackend struct {
	Object
	Backends []string `json:"backends"` // ids, in order
}

// FailoverBackendCreate is the body that makes one.
type FailoverBackendCreate struct {
	Details
	Backends []string `json:"backends"`
}

// FailoverBackendUpdate changes one. A service may take a list that is left out
// for an empty one, so Backends is never left out.
type FailoverBackendUpdate struct {
	DetailsUpdate
	Backends []string `json:"backends"`
}

// FailoverBackends are at /backends/failover.
type FailoverBackends = Collection[FailoverBackend, FailoverBackendCreate, FailoverBackendUpdate]

// FailoverBackends returns the account's failover backends.
func (c *Client) FailoverBackends() FailoverBackends {
	return FailoverBackends{
		client: c, noun: "failover backend", path: "/backends/failover", list: "backends",
		id:      func(o *FailoverBackend) string { return o.ID },
		created: func(o *FailoverBackend) string { return o.CreatedAt },
		same: func(sent *FailoverBackendCreate, o *FailoverBackend) bool {
			return sent.same(&o.Object) && slices.Equal(sent.Backends, o.Backends)
		},
	}
}
