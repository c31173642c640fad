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

// FailoverBackendKind names failover backends.
var FailoverBackendKind = newKind(Kind{Noun: "failover backend", Prefix: "bkdfo_", Path: "/backends/failover", ListField: "backends"})

// RootKind is a kind that every account can list, and so the one whose list
// shows that base_url and the API key are right.
var RootKind = FailoverBackendKind

// FailoverBackends returns the account's failover backends.
var FailoverBackends = objects(kind[FailoverBackend]{Kind: FailoverBackendKind})
