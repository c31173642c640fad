package variation

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Quirks makes a server choose other behavior where the API documentation
// leaves it open. See the file quirk_names.go. Some quirks apply to the whole
// server, the others vary from response to response. See [Variant].
type Quirks struct {
	seed  uint64
	only  map[string]bool // names of the quirks that always apply; nil means all, at random
	count atomic.Uint64
}

// PageSize is the maximum page size of [SmallPages].
const PageSize = 3

// NewQuirks returns all quirks, with the variants of a seed, at the beginning of
// its sequence.
func NewQuirks(seed uint64) *Quirks {
	return &Quirks{seed: seed}
}

// NamedQuirks returns the quirks with these names. They apply to every response
// that they can change. It returns an error for an unknown name.
func NamedQuirks(names ...string) (*Quirks, error) {
	q := &Quirks{only: map[string]bool{}}
	for _, name := range names {
		if !slices.Contains(QuirkNames(), name) {
			return nil, fmt.Errorf("unknown quirk %q", name)
		}
		q.only[name] = true
	}
	return q, nil
}

// Again returns the same quirks at the beginning of the sequence.
func (q *Quirks) Again() *Quirks {
	return &Quirks{seed: q.seed, only: q.only}
}

// Names returns the names of the quirks that can apply.
func (q *Quirks) Names() []string {
	if q.only == nil {
		return QuirkNames()
	}
	return slices.Sorted(maps.Keys(q.only))
}

// Next returns the quirks of the next response.
func (q *Quirks) Next() *Variant {
	return &Variant{rand.New(rand.NewPCG(q.seed, q.count.Add(1))), q.only}
}

// Variant changes the form of one response without changing its meaning. A nil
// variant has no quirks.
type Variant struct {
	random *rand.Rand
	only   map[string]bool
}

// Has reports whether a quirk applies to the server.
func (v *Variant) Has(name string) bool {
	return v != nil && (v.only == nil || v.only[name])
}

// chance reports whether a quirk that varies applies to this response.
func (v *Variant) chance(name string) bool {
	if v.only != nil {
		return v.only[name]
	}
	return v.random.IntN(2) == 0
}

// choice returns the first quirk that applies, or an empty string.
func (v *Variant) choice(names ...string) string {
	if v.only == nil {
		return append(names, "")[v.random.IntN(len(names)+1)]
	}
	for _, name := range names {
		if v.only[name] {
			return name
		}
	}
	return ""
}

func pick[T any](v *Variant, choices []T) T {
	return choices[v.random.IntN(len(choices))]
}

// Unset returns the body for a module that is not set. It reports false if there
// is none.
func (v *Variant) Unset() (value any, ok bool) {
	switch {
	case v == nil || !v.Has(UnsetNull) && !v.Has(UnsetObject):
		return nil, false
	case v.Has(UnsetNull) && v.chance(UnsetNull):
		return nil, true
	}
	return struct{}{}, true
}

// Change changes the form of a JSON response.
func (v *Variant) Change(tree any, refused bool) any {
	members, isObject := tree.(map[string]any)
	switch {
	case refused:
		v.changeError(members)
	case isObject && len(members) > 0:
		v.changeObject(members)
	}
	return tree
}

// changeError removes optional error members, because similar services omit
// them.
func (v *Variant) changeError(members map[string]any) {
	if v.chance(ErrorCodeAbsent) {
		delete(members, "error_code")
	}
	if v.chance(DetailsAbsent) {
		delete(members, "details")
	}
	if members["details"] != nil && v.chance(DetailsNull) {
		members["details"] = nil
	}
}

// The kinds of response fields that variants change. Fields with user-defined
// data do not change.
var (
	timestamps   = names("created_at", "valid_after", "valid_until", "not_before", "not_after", "issued_at")
	keyTexts     = names("certificate_pem", "public_key", "certificate")
	sets         = names("acl", "principals", "key_usages", "extended_key_usages", "dns_names", "ips", "sources")
	optionals    = names("description", "metadata", "subject_common_name", "issuer_common_name")
	neverSet     = []string{"description", "metadata"} // absent from objects that never set them
	usersObjects = names("config", "labels", "headers")
)

func names(all ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range all {
		set[name] = true
	}
	return set
}

func (v *Variant) changeObject(members map[string]any) {
	isList := members["uri"] != nil && members["id"] == nil && members["type"] == nil
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if usersObjects[name] && members[name] != nil {
			continue
		}
		switch value := members[name].(type) {
		case string:
			members[name] = v.changeText(name, value)
			if value == "" && optionals[name] && v.chance(EmptyAbsent) {
				delete(members, name)
			}
		case map[string]any:
			v.changeObject(value)
		case []any:
			list := v.changeList(name, value)
			members[name] = list
			if len(list) == 0 && !isList && name != "tunnels" {
				v.empty(members, name)
			}
		}
	}
	v.addNeverSet(members)
	v.addUnknown(members)
}

// addNeverSet adds texts that were never set as "". Bot users, the objects with a
// name, do not have these fields.
func (v *Variant) addNeverSet(members map[string]any) {
	if members["created_at"] == nil || members["name"] != nil {
		return
	}
	for _, name := range neverSet {
		if _, set := members[name]; !set && v.chance(NeverSetEmpty) {
			members[name] = ""
		}
	}
}

// empty shows an empty list as [], null or absent.
func (v *Variant) empty(members map[string]any, name string) {
	switch v.choice(EmptyListAbsent, EmptyListNull) {
	case EmptyListAbsent:
		delete(members, name)
	case EmptyListNull:
		members[name] = nil
	}
}

func (v *Variant) changeList(name string, list []any) []any {
	if sets[name] && v.Has(SetsShuffled) {
		v.random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	for i, element := range list {
		members, isObject := element.(map[string]any)
		switch {
		case name == "tunnels" && v.Has(TunnelsVary):
			list[i] = v.tunnel(element)
		case isObject:
			v.changeObject(members)
		}
	}
	if name == "acl" && v.chance(ACLSwapped) {
		return withoutRestrictions(list)
	}
	return list
}

// withoutRestrictions replaces an ACL that permits everything, [] or one with
// *, with the other form.
func withoutRestrictions(acl []any) []any {
	switch {
	case len(acl) == 0:
		return []any{"*"}
	case slices.Contains(acl, any("*")):
		return []any{}
	}
	return acl
}

// tunnel changes the structure of a tunnels entry, because the API
// documentation does not define it.
func (v *Variant) tunnel(entry any) any {
	members, _ := entry.(map[string]any)
	return pick(v, []any{
		entry,
		members["id"],
		map[string]any{"id": members["id"], "uri": members["uri"], "region": "eu", "endpoints": []any{map[string]any{"port": 443}}},
		map[string]any{"tunnel_session": map[string]any{"id": 7}},
	})
}

func (v *Variant) changeText(name, text string) string {
	switch {
	case timestamps[name] && v.Has(TimesVary):
		return v.timestamp(text)
	case keyTexts[name] && v.Has(KeyNewline):
		return strings.TrimRight(text, "\n") + pick(v, []string{"", "\n"})
	}
	return text
}

var (
	offsets   = []string{"Z", "+00:00", "+05:30", "-05:00", "+13:45"}
	fractions = []string{"", ".0", ".000", ".000000", ".000000000"}
)

// timestamp formats the same instant with another offset and precision.
func (v *Variant) timestamp(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	offset, fraction := pick(v, offsets), pick(v, fractions)
	zone, err := time.Parse("Z07:00", offset)
	if err != nil {
		return text
	}
	if at = at.In(zone.Location()); at.Year() > lastYear {
		return text
	}
	return at.Format("2006-01-02T15:04:05") + fraction + offset
}

// addUnknown adds an undocumented field.
func (v *Variant) addUnknown(members map[string]any) {
	if !v.Has(UnknownFields) {
		return
	}
	name := pick(v, []string{"x_revision", "x_links", "x_region", "x_flags"})
	members[name] = pick(v, []any{7, "eu", nil, true, []any{1, "two"}, map[string]any{"self": map[string]any{}}})
}
