package api

import "maps"

// GroupBackend sends traffic to all tunnels that carry its labels.
type GroupBackend struct {
	Object
	Labels  map[string]string `json:"labels"`
	Tunnels []Ref             `json:"tunnels"`
}

// Ref points to another object.
type Ref struct {
	ID  string `json:"id"`
	URI string `json:"uri"`
}

// GroupBackendCreate is the body that makes one.
type GroupBackendCreate struct {
	Details
	Labels map[string]string `json:"labels"`
}

// GroupBackendUpdate changes one: nil leaves a field as it is. Labels cannot be
// cleared.
type GroupBackendUpdate struct {
	DetailsUpdate
	Labels map[string]string `json:"labels,omitempty"`
}

// GroupBackends are at /backends/tunnel_group.
type GroupBackends = Collection[GroupBackend, GroupBackendCreate, GroupBackendUpdate]

// GroupBackends returns the account's tunnel group backends.
func (c *Client) GroupBackends() GroupBackends {
	return GroupBackends{
		client: c, noun: "tunnel group backend", path: "/backends/tunnel_group", list: "backends",
		id:      func(o *GroupBackend) string { return o.ID },
		created: func(o *GroupBackend) string { return o.CreatedAt },
		same: func(sent *GroupBackendCreate, o *GroupBackend) bool {
			return sent.same(&o.Object) && maps.Equal(sent.Labels, o.Labels)
		},
	}
}
