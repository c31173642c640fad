package conformance

import (
	"encoding/pem"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"
)

// compare says whether a value means the same as another one: Agrees; Otherwise for a
// notation that a service may choose; Differs if it means something else. In what was
// sent, empty members are as absent, and write-only ones need not be shown. Of two
// responses, each can have members that the other has not, or that nobody documents.
func (run *Run) compare(name string, a, b any, isSent bool) Status {
	if asJSON(a) == asJSON(b) {
		return Agrees
	}
	switch mine := a.(type) {
	case map[string]any:
		its, isObject := b.(map[string]any)
		if name == "labels" || name == "headers" || name == "config" && !isSent {
			break
		} else if !isObject && (!isSent || !isEmpty(b)) {
			return Differs
		}
		return run.compareMembers(mine, its, isSent)
	case []any:
		its, isList := b.([]any)
		if slices.Contains(sets, name) {
			break
		} else if len(its) != len(mine) || !isList && !isEmpty(b) {
			return Differs
		}
		worst := Agrees
		for i := range mine {
			worst = worse(worst, run.compare(name, mine[i], its[i], isSent))
		}
		return worst
	}
	if status := compareTimes(name, text(a), text(b)); status != "" {
		return status
	}
	exact, loose := notations(name, a)
	itsExact, itsLoose := notations(name, b)
	switch {
	case reflect.DeepEqual(exact, itsExact):
		return Agrees
	case reflect.DeepEqual(loose, itsLoose):
		return Otherwise
	}
	return Differs
}

func (run *Run) compareMembers(mine, its map[string]any, isSent bool) Status {
	worst := Agrees
	for name, value := range mine {
		other, there := its[name]
		_, known := run.members[name]
		skip := !there || !known
		if isSent {
			_, other = run.shownAs(name, its)
			skip = run.members[name].WriteOnly || value == nil || value == ""
		}
		if !skip && (!isEmpty(value) || !isEmpty(other)) {
			worst = worse(worst, run.compare(name, value, other, isSent))
		}
	}
	return worst
}

// worse returns the more serious of two statuses.
func worse(a, b Status) Status {
	if a == Differs || b == Agrees {
		return a
	}
	return b
}

// compareTimes is compare for two times. It returns an empty string for other texts.
func compareTimes(name, sent, found string) Status {
	a, invalid := time.Parse(time.RFC3339, strings.ToUpper(sent))
	b, err := time.Parse(time.RFC3339, strings.ToUpper(found))
	switch {
	case invalid != nil || err != nil:
		return ""
	case a.Equal(b), strings.HasPrefix(name, "valid_") && a.Truncate(time.Second).Equal(b): // certificates have whole seconds
		return Agrees
	case a.Sub(b).Abs() < time.Second, name == "valid_until" && b.Before(a): // an earlier end
		return Otherwise
	}
	return Differs
}

// sets are the lists whose order means nothing.
var sets = []string{"acl", "principals", "hostports", "destination_ids", "ip_policy_ids", "sources"}

// notations returns a value without its notation, and without what a service may choose:
// case, order and white space.
func notations(name string, value any) (exact, loose any) {
	if slices.Contains(sets, name) {
		return setNotations(value)
	}
	one, isText := value.(string)
	switch {
	case !isText:
		return value, strings.ToLower(asJSON(value))
	case name == "public_key":
		fields := strings.Fields(one)
		return strings.TrimSpace(one), fields[:min(len(fields), 2)]
	case name == "certificate_pem":
		return ders(one), ders(one)
	case name == "domain":
		return one, strings.ToLower(strings.TrimSuffix(one, "."))
	case name == "expressions":
		return one, strings.NewReplacer(" ", "", "(", "", ")", "", "'", `"`).Replace(one)
	}
	return one, strings.TrimSpace(one)
}

func setNotations(value any) (exact, loose []string) {
	elements, _ := value.([]any)
	for _, element := range elements {
		if members, isObject := element.(map[string]any); isObject {
			element = members["type"]
		}
		one := text(element)
		if one == "*" {
			return nil, nil // as no restrictions
		}
		exact = append(exact, one)
		if address, err := netip.ParseAddr(one); err == nil {
			one = address.String()
		}
		loose = append(loose, strings.ToLower(one))
	}
	slices.Sort(loose)
	return exact, slices.Compact(loose)
}

// ders returns the content of the PEM blocks of a text.
func ders(content string) (all []string) {
	for block, rest := pem.Decode([]byte(content)); block != nil; block, rest = pem.Decode(rest) {
		all = append(all, string(block.Bytes))
	}
	return all
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// isEmpty reports whether a value sets nothing.
func isEmpty(value any) bool {
	return slices.Contains([]string{"null", `""`, "0", "[]", "{}"}, asJSON(value))
}

// each returns a member of each element.
func each(value any, name string) []any {
	elements, _ := value.([]any)
	all := []any{}
	for _, element := range elements {
		members, _ := element.(map[string]any)
		all = append(all, members[name])
	}
	return all
}
