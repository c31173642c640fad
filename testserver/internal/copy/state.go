package copy

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Addresses returns the addresses of the resources in the state, by the id of their
// object or as moduleID says.
func (f *Folder) Addresses() (map[string]string, error) {
	state, err := f.readState()
	if err != nil {
		return nil, err
	}
	return addressesIn(state)
}

// addressesIn returns none for a state that is empty.
func addressesIn(state []byte) (map[string]string, error) {
	addresses := map[string]string{}
	if len(state) == 0 {
		return addresses, nil
	}
	var whole struct {
		Resources []struct {
			Module, Mode, Type, Name string
			Instances                []struct {
				Key        any            `json:"index_key"`
				Attributes map[string]any `json:"attributes"`
			}
		}
	}
	if err := json.Unmarshal(state, &whole); err != nil {
		return nil, fmt.Errorf("the state is damaged: %w", err)
	}
	for _, resource := range whole.Resources {
		for _, instance := range resource.Instances {
			id, _ := instance.Attributes["id"].(string)
			if id == "" {
				id = moduleID(resource.Type, instance.Attributes)
			}
			if resource.Mode != "managed" || id == "" {
				continue
			}
			address := resource.Type + "." + resource.Name
			if resource.Module != "" {
				address = resource.Module + "." + address
			}
			switch key := instance.Key.(type) {
			case string:
				address += "[" + strconv.Quote(key) + "]"
			case float64:
				address += fmt.Sprintf("[%d]", int(key))
			}
			addresses[id] = address
		}
	}
	return addresses, nil
}

// owners are the beginnings of the types of modules, and the attributes that have the ids
// of their owners.
var owners = []struct{ prefix, attribute string }{
	{"tunnel_https_edge_route_", "route_id"}, {"tunnel_tls_edge_", "edge_id"}, {"tunnel_tcp_edge_", "edge_id"},
}

// moduleID returns what stands for the id of a module: that of its owner, a slash and its
// name. It is empty for other resources.
func moduleID(kind string, attributes map[string]any) string {
	for _, owner := range owners {
		name, is := strings.CutPrefix(kind, owner.prefix)
		if id, _ := attributes[owner.attribute].(string); is && id != "" {
			return id + "/" + name
		}
	}
	return ""
}

// Addresses returns the addresses of the objects before the plan, by id, also of those
// that it imports.
func (p *Plan) Addresses() map[string]string {
	addresses := map[string]string{}
	for _, resource := range p.ResourceChanges {
		if id := resource.ID(); id != "" {
			addresses[id] = resource.Address
		}
	}
	return addresses
}
