package api

// FailoverBackend sends traffic to the first of its child backends that is up.
type FailoverBackend struct {
	Object
	Backends IDs `json:"backends"` // in order
}

// FailoverBackendBody is the body that creates or updates a failover backend. A
// service may treat an omitted list as an empty one, so Backends is never omitted.
type FailoverBackendBody struct {
	Details
	Backends []string `json:"backends"` // never nil
}

// FailoverBackends are the failover backends of the account.
var FailoverBackends = identified[FailoverBackend](
	Kind{Noun: "failover backend", Prefix: "bkdfo_", Path: "/backends/failover", ListField: "backends"},
)

// RootKind is a kind that every account can list, and so the one whose list
// shows that base_url and the API key are right.
var RootKind = FailoverBackends.Kind
