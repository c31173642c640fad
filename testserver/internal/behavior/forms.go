package behavior

import (
	"maps"
	"slices"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
)

// Form returns the form of a JSON response that the choices make, with the same meaning.
func (a *acts) Form(value any, refused bool) any {
	tree := body.Tree(value)
	members, isObject := tree.(map[string]any)
	if isObject && len(members) > 0 && !refused {
		a.formObject(members)
	}
	return tree
}

// The kinds of response fields that have other forms. Fields with user-defined data do
// not.
var (
	timestamps   = []string{"created_at", "valid_after", "valid_until", "not_before", "not_after", "issued_at"}
	sets         = []string{"acl", "principals", "key_usages", "extended_key_usages", "dns_names", "ips", "sources"}
	optionals    = []string{"description", "metadata", "subject_common_name", "issuer_common_name"}
	usersObjects = []string{"config", "labels", "headers"}
)

func pick[T any](a *acts, choices ...T) T { return choices[a.random.IntN(len(choices))] }

func (a *acts) formObject(members map[string]any) {
	isList := members["uri"] != nil && members["id"] == nil && members["type"] == nil
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if slices.Contains(usersObjects, name) && members[name] != nil {
			continue
		}
		switch value := members[name].(type) {
		case string:
			if a.on["times_vary"] && slices.Contains(timestamps, name) {
				members[name] = a.timestamp(value)
			}
			if value == "" && slices.Contains(optionals, name) && a.on["empty_absent"] {
				delete(members, name)
			}
		case map[string]any:
			a.formObject(value)
		case []any:
			list := a.formList(name, value)
			members[name] = list
			switch {
			case len(list) > 0 || isList || name == "tunnels":
			case a.on["empty_list_absent"]:
				delete(members, name)
			case a.on["empty_list_null"]:
				members[name] = nil
			}
		}
	}
	// Bot users, the objects with a name, do not have these fields.
	if a.on["never_set_empty"] && members["created_at"] != nil && members["name"] == nil {
		for _, name := range []string{"description", "metadata"} {
			if _, set := members[name]; !set {
				members[name] = ""
			}
		}
	}
	if a.on["unknown_fields"] {
		name := pick(a, "x_revision", "x_links", "x_region", "x_flags")
		members[name] = pick(a, []any{7, "eu", nil, true, []any{1, "two"}, map[string]any{"self": map[string]any{}}}...)
	}
}

func (a *acts) formList(name string, list []any) []any {
	if a.on["sets_shuffled"] && slices.Contains(sets, name) {
		a.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	for _, element := range list {
		members, isObject := element.(map[string]any)
		if isObject {
			a.formObject(members)
		}
	}
	switch {
	case name != "acl" || !a.on["acl_swapped"]:
		return list
	case len(list) == 0:
		return []any{"*"}
	case slices.Contains(list, any("*")):
		return []any{}
	}
	return list
}

// timestamp formats the same instant with another offset and precision.
func (a *acts) timestamp(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	offset, fraction := pick(a, "Z", "+00:00", "+05:30", "-05:00", "+13:45"), pick(a, "", ".0", ".000", ".000000", ".000000000")
	zone, _ := time.Parse("Z07:00", offset) // is one
	if at = at.In(zone.Location()); at.Year() > lastYear {
		return text
	}
	return at.Format("2006-01-02T15:04:05") + fraction + offset
}
