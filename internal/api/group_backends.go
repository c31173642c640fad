package api

// GroupBackend sends traffic to all tunnels that have its labels.
type GroupBackend struct {
	Object
	Labels  map[string]string `json:"labels"`
	Tunnels Refs              `json:"tunnels"`
}

// GroupBackendCreate is the body that creates a tunnel group backend.
type GroupBackendCreate struct {
	Details
	Labels map[string]string `json:"labels"`
}

// GroupBackendUpdate is the body that updates a tunnel group backend. Empty
// labels do not change the labels, so they cannot be cleared.
type GroupBackendUpdate struct {
	DetailsUpdate
	Labels map[string]string `json:"labels"`
}

// GroupBackendKind names tunnel group backends.
var GroupBackendKind = newKind(Kind{Noun: "tunnel group backend", Prefix: "bkdtg_", Path: "/backends/tunnel_group", ListField: "backends"})

// GroupBackends returns the account's tunnel group backends.
var GroupBackends = objects(kind[GroupBackend]{Kind: GroupBackendKind})
