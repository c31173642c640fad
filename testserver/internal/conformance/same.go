package conformance

import (
	"encoding/pem"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
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
	switch {
	case reflect.DeepEqual(plain(name, a, false), plain(name, b, false)):
		return Agrees
	case strings.HasPrefix(name, "valid_") && isCut(text(a), text(b)):
		return Agrees // certificates have whole seconds
	case name == "public_key" && strings.Contains(text(a)+text(b), "-----BEGIN"):
		return Agrees // in another form, which a request for keys in PEM judges
	case reflect.DeepEqual(plain(name, a, true), plain(name, b, true)) || nearTime(name, text(a), text(b)):
		return Otherwise
	}
	return Differs
}

func (run *Run) compareMembers(mine, its map[string]any, isSent bool) Status {
	worst := Agrees
	for name, value := range mine {
		other, there := its[name]
		skip := !there || !run.names[name]
		if isSent {
			_, other = run.shownAs(name, its)
			skip = run.writeOnly[name] || value == nil || value == ""
		}
		if !skip && (!isEmpty(value) || !isEmpty(other)) {
			worst = worse(worst, run.compare(name, value, other, isSent))
		}
	}
	return worst
}

// worse returns the more serious of two statuses.
func worse(a, b Status) Status {
	for _, status := range []Status{Differs, Otherwise} {
		if a == status || b == status {
			return status
		}
	}
	return Agrees
}

// sets are the lists whose order means nothing.
var sets = []string{"acl", "principals", "hostports", "destination_ids", "ip_policy_ids", "sources"}

// plain returns a value without its notation. Loosely, that is what a service may choose:
// case, order, white space, and a shorter chain of certificates.
func plain(name string, value any, loosely bool) any {
	if slices.Contains(sets, name) {
		return plainSet(value, loosely)
	}
	switch value := value.(type) {
	case map[string]any:
		if loosely {
			return strings.ToLower(asJSON(value))
		}
	case string:
		return plainText(name, value, loosely)
	}
	return value
}

func plainSet(value any, loosely bool) any {
	elements, _ := value.([]any)
	var all []string
	for _, element := range elements {
		if members, isObject := element.(map[string]any); isObject {
			element = members["type"]
		}
		one := text(element)
		if one == "*" {
			return []string(nil) // as no restrictions
		}
		if loosely {
			one = strings.ToLower(one)
			if address, err := netip.ParseAddr(one); err == nil {
				one = address.String()
			}
		}
		all = append(all, one)
	}
	if loosely {
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return all
}

func plainText(name, value string, loosely bool) any {
	if at, err := time.Parse(time.RFC3339, strings.ToUpper(value)); err == nil {
		return at.UnixNano()
	}
	switch {
	case name == "public_key" && !loosely:
		return strings.TrimSpace(value)
	case name == "certificate_pem":
		all := ders(value)
		if loosely && len(all) > 1 {
			return all[:1]
		}
		return all
	case !loosely:
		return value
	}
	switch name {
	case "public_key":
		fields := strings.Fields(value)
		return fields[:min(len(fields), 2)]
	case "cidr":
		addresses, _ := keys.Range(value)
		return addresses
	case "domain":
		return strings.ToLower(strings.TrimSuffix(value, "."))
	case "expressions":
		return strings.NewReplacer(" ", "", "(", "", ")", "", "'", `"`).Replace(value)
	}
	return strings.TrimSpace(value)
}

// isCut reports whether a time is another one without its fraction of a second.
func isCut(sent, found string) bool {
	a, err := time.Parse(time.RFC3339, strings.ToUpper(sent))
	b, invalid := time.Parse(time.RFC3339, strings.ToUpper(found))
	return err == nil && invalid == nil && a.Truncate(time.Second).Equal(b)
}

// nearTime reports whether a time is less than a second from another one, or an earlier
// end.
func nearTime(name, sent, found string) bool {
	a, err := time.Parse(time.RFC3339, strings.ToUpper(sent))
	b, invalid := time.Parse(time.RFC3339, strings.ToUpper(found))
	return err == nil && invalid == nil && (a.Sub(b).Abs() < time.Second || name == "valid_until" && b.Before(a))
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
