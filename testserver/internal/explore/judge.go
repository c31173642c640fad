// Package explore interrupts an apply or another command at each of its requests, on a
// copy, and judges what is left: it names the requests, compares accounts and states, and
// reports.
package explore

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// Account is the objects of a service by id, as the API returns them.
type Account map[string]map[string]any

// ParseAccount reads an export of the test server.
func ParseAccount(export []byte) (Account, error) {
	var whole struct {
		Objects []struct {
			Body map[string]any `json:"body"`
		} `json:"objects"`
	}
	if err := json.Unmarshal(export, &whole); err != nil {
		return nil, err
	}
	all := Account{}
	for _, object := range whole.Objects {
		walk(object.Body, func(value any) { // also those in it, such as the routes of an edge
			object, _ := value.(map[string]any)
			id, _ := object["id"].(string)
			if _, whole := object["created_at"]; whole && id != "" { // what only refers to an object has no such time
				all[id] = object
			}
		})
	}
	return all, nil
}

// walk calls use with a value and all values in it.
func walk(value any, use func(value any)) {
	use(value)
	switch value := value.(type) {
	case map[string]any:
		for _, member := range value {
			walk(member, use)
		}
	case []any:
		for _, element := range value {
			walk(element, use)
		}
	}
}

// ParseState returns the addresses of the resources in a state, by the id of their
// object or as moduleID says. It returns none for a state that is empty.
func ParseState(state []byte) (map[string]string, error) {
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

// Planned is what a plan changes.
type Planned struct {
	Changes   int
	Addresses map[string]string // of the objects before the apply, by id; also of those that it imports
	names     map[string]bool   // all texts in the resources that change, among them the ids
	kept      map[string]bool   // addresses that exist after the apply
	ends      map[string]bool   // ids of the objects that it deletes or replaces
}

// ReadPlan reads a plan.
func ReadPlan(plan *copy.Plan) *Planned {
	p := &Planned{Addresses: map[string]string{}, names: map[string]bool{}, kept: map[string]bool{}, ends: map[string]bool{}}
	for _, resource := range plan.ResourceChanges {
		before, _ := resource.Change.Before.(map[string]any)
		if id, _ := before["id"].(string); id != "" && resource.Mode == "managed" {
			p.Addresses[id] = resource.Address
			p.ends[id] = slices.Contains(resource.Change.Actions, "delete")
		}
		if !slices.Equal(resource.Change.Actions, []string{"delete"}) {
			p.kept[resource.Address] = true
		}
		if slices.Equal(resource.Change.Actions, []string{"no-op"}) || slices.Equal(resource.Change.Actions, []string{"read"}) {
			continue
		}
		p.Changes++
		walk([]any{resource.Change.Before, resource.Change.After}, func(value any) {
			if text, ok := value.(string); ok {
				p.names[text] = true
			}
		})
	}
	return p
}

// Judge compares accounts and states with those before and after an undisturbed apply.
type Judge struct {
	Plan          *Planned
	Before, After Account
	Held          map[string]string // addresses in the state before the apply, by id
	HeldAfter     map[string]string // and after it

	Traffic []traffic.Timeline // of an undisturbed apply
	World   traffic.World
}

// Noticed returns what clients notice of an account until the next apply: requests that
// reach what they reach neither before nor after, and requests that are not served
// although they are before and after.
func (j *Judge) Noticed(now *traffic.Recording) (opened, interrupted []string) {
	var requests []traffic.Request
	for _, t := range j.Traffic {
		requests = append(requests, t.Request)
	}
	for i, current := range now.Follow(requests, j.World) {
		text := fmt.Sprintf("%s gets %s", current.Request, current.After)
		switch j.Traffic[i].ClassOf(current.After) {
		case traffic.Opened:
			opened = append(opened, text)
		case traffic.Interrupted:
			interrupted = append(interrupted, text)
		default:
		}
	}
	return opened, interrupted
}

// Unplanned returns the objects that existed before the apply, that the plan does not
// name, and that have changed or are gone, other than by somebody else.
func (j *Judge) Unplanned(now Account, other *actor) []string {
	var found []string
	for id, object := range j.Before {
		if j.Plan.names[id] || other.touched(id) {
			continue
		}
		name := id
		if address := j.Held[id]; address != "" && address != id {
			name = address + " (" + id + ")"
		}
		if current, exists := now[id]; !exists {
			found = append(found, name+" is gone")
		} else if !reflect.DeepEqual(current, object) {
			found = append(found, name+" has changed")
		}
	}
	slices.Sort(found)
	return found
}

// Object is an object that no state holds.
type Object struct {
	Address string `json:"address"` // of the resource that it was made for, or its id
	ID      string `json:"id"`
}

// Left returns the objects of which no state knows, other than those of which none has
// known before, and those that the apply itself leaves, such as those of a removed block.
// of gives the addresses of objects; it may return "".
func (j *Judge) Left(now Account, held map[string]string, of func(id string) string) []Object {
	var left []Object
	for id := range now {
		_, before := j.Before[id]
		_, after := j.After[id]
		planned := before && after && j.HeldAfter[id] == ""
		if _, known := held[id]; known || planned || before && j.Held[id] == "" {
			continue
		}
		left = append(left, Object{Address: cmp.Or(of(id), id), ID: id})
	}
	slices.SortFunc(left, func(a, b Object) int { return strings.Compare(a.Address+a.ID, b.Address+b.ID) })
	return left
}

// Missing returns what exists before and after the apply, and is missing in between:
// resources without their object, and members of objects that are null.
func (j *Judge) Missing(now Account, names func(id string) string) []string {
	var found []string
	live := map[string]bool{}
	for id := range now {
		live[names(id)] = true
	}
	after := map[string]string{} // ids by address
	for id, address := range j.HeldAfter {
		after[address] = id
	}
	for id, address := range j.Held {
		if _, object := j.Before[id]; object && after[address] != "" && j.Plan.kept[address] && !live[address] {
			found = append(found, address+" does not exist")
		}
		before, current, later := j.Before[id], now[id], j.After[after[address]]
		for _, member := range slices.Sorted(maps.Keys(before)) {
			if current != nil && before[member] != nil && later[member] != nil && current[member] == nil {
				found = append(found, address+" has no "+member)
			}
		}
	}
	slices.Sort(found)
	return found
}
