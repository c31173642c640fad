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
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// Account is the objects of a service by id, as the API returns them, and the path of
// their list.
type Account map[string]map[string]any

// ParseAccount reads an export of the test server.
func ParseAccount(export []byte) (Account, error) {
	var whole struct {
		Objects []struct {
			Path string         `json:"path"`
			Body map[string]any `json:"body"`
		} `json:"objects"`
	}
	if err := json.Unmarshal(export, &whole); err != nil {
		return nil, err
	}
	all := Account{}
	for _, object := range whole.Objects {
		object.Body["path"] = object.Path
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

// Planned is what a plan changes.
type Planned struct {
	Changes int
	text    string          // the resources that change, in JSON, among them all ids
	ends    map[string]bool // ids of the objects that it deletes or replaces
}

// ReadPlan reads a plan.
func ReadPlan(plan *copy.Plan) *Planned {
	p := &Planned{ends: map[string]bool{}}
	for _, resource := range plan.ResourceChanges {
		actions := resource.Change.Actions
		p.ends[resource.ID()] = slices.Contains(actions, "delete")
		if !slices.Equal(actions, []string{"no-op"}) && !slices.Equal(actions, []string{"read"}) {
			p.Changes++
			p.text += asJSON(resource.Change)
		}
	}
	return p
}

// has reports whether the plan changes an object, or another one that names it.
func (p *Planned) has(id string) bool { return strings.Contains(p.text, `"`+id+`"`) }

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
		if j.Plan.has(id) || other.touched(id) {
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
// names has addresses of objects by their ids.
func (j *Judge) Left(now Account, held, names map[string]string) []Object {
	var left []Object
	for id := range now {
		_, before := j.Before[id]
		_, after := j.After[id]
		planned := before && after && j.HeldAfter[id] == ""
		if _, known := held[id]; known || planned || before && j.Held[id] == "" {
			continue
		}
		left = append(left, Object{Address: cmp.Or(names[id], id), ID: id})
	}
	slices.SortFunc(left, func(a, b Object) int { return strings.Compare(a.Address+a.ID, b.Address+b.ID) })
	return left
}

// Missing returns what exists before and after the apply, and is missing in between:
// resources without their object, and members of objects that are null.
func (j *Judge) Missing(now Account, names map[string]string) []string {
	var found []string
	live := map[string]bool{}
	for id := range now {
		live[names[id]] = true
	}
	after := map[string]string{} // ids by address
	for id, address := range j.HeldAfter {
		after[address] = id
	}
	for id, address := range j.Held {
		if _, object := j.Before[id]; object && after[address] != "" && !live[address] {
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
