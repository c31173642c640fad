package api

// GroupBackend sends traffic to all tunnels that have its labels.
type GroupBackend struct {
	Object
	Labels  map[string]string `json:"labels"`
	Tunnels Refs              `json:"tunnels"`
}

// GroupBackendBody is the body that creates or updates a tunnel group backend.
// Empty labels do not change the labels, so they cannot be cleared.
type GroupBackendBody struct {
	Details
	Labels map[string]string `json:"labels"`
}

// GroupBackends are the tunnel group backends of the account.
var GroupBackends = identified[GroupBackend](
	Kind{Noun: "tunnel group backend", Prefix: "bkdtg_", Path: "/backends/tunnel_group", ListField: "backends"},
)
