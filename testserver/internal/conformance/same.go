package conformance

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// same is the status of a value that means what was sent.
const same = Agrees

// stored says whether a value means what was sent in a field: Agrees; Otherwise for a
// notation that a service may choose; Differs if it means something else.
func (run *Run) stored(name string, sent, found any) Status {
	if reflect.DeepEqual(sent, found) || asJSON(sent) == asJSON(found) {
		return same
	}
	if at, err := time.Parse(time.RFC3339, strings.ToUpper(text(sent))); err == nil {
		return storedTime(name, at, text(found))
	}
	switch name {
	case "public_key":
		return storedKey(text(sent), text(found))
	case "certificate_pem":
		return storedChain(text(sent), text(found))
	case "acl", "principals", "hostports", "destination_ids", "ip_policy_ids":
		return storedSet(sent, found)
	case "labels", "headers":
		return storedPairs(sent, found)
	case "cidr":
		a, isRange := keys.Range(text(sent))
		b, _ := keys.Range(text(found))
		return notation(isRange && a == b)
	case "domain":
		return notation(strings.EqualFold(text(sent), strings.TrimSuffix(text(found), ".")))
	case "sources":
		return storedSet(each(sent, "type"), each(found, "type"))
	}
	switch a := sent.(type) {
	case string:
		plain := strings.TrimSpace
		if name == "expressions" {
			plain = strings.NewReplacer(" ", "", "(", "", ")", "", "'", `"`).Replace
		}
		return notation(plain(a) == plain(text(found)))
	case map[string]any, []any:
		return run.nested(name, sent, found, true)
	}
	return Differs
}

// notation is the status of a value that differs as it is written.
func notation(meansTheSame bool) Status {
	if meansTheSame {
		return Otherwise
	}
	return Differs
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// isEmpty reports whether a value sets nothing.
func isEmpty(value any) bool {
	return slices.Contains([]string{"null", `""`, "0", "[]", "{}"}, asJSON(value))
}

func storedKey(sent, found string) Status {
	a, b := strings.Fields(sent), strings.Fields(found)
	switch {
	case strings.Contains(sent, "-----BEGIN") || strings.Contains(found, "-----BEGIN"):
		return same // in another form, which a request for keys in PEM judges
	case strings.TrimSpace(sent) == strings.TrimSpace(found):
		return same
	}
	return notation(len(a) > 1 && len(b) > 1 && a[0] == b[0] && a[1] == b[1])
}

func storedChain(sent, found string) Status {
	a, b := ders(sent), ders(found)
	if slices.EqualFunc(a, b, bytes.Equal) {
		return same
	}
	return notation(len(b) > 0 && len(b) < len(a) && bytes.Equal(a[0], b[0]))
}

// ders returns the content of the PEM blocks of a text.
func ders(content string) [][]byte {
	var all [][]byte
	for rest := []byte(content); ; {
		var b *pem.Block
		if b, rest = pem.Decode(rest); b == nil {
			return all
		}
		all = append(all, b.Bytes)
	}
}

// storedTime allows less than a second of difference, and an earlier end.
func storedTime(name string, sent time.Time, found string) Status {
	its, err := time.Parse(time.RFC3339, strings.ToUpper(found))
	isValidity := name == "valid_after" || name == "valid_until" // certificates have whole seconds
	switch {
	case err != nil:
		return Differs
	case sent.Equal(its), isValidity && sent.Truncate(time.Second).Equal(its):
		return same
	}
	return notation(sent.Sub(its).Abs() < time.Second || name == "valid_until" && its.Before(sent))
}

// list returns the elements of a list as texts in JSON.
func list(value any) []string {
	elements, _ := value.([]any)
	var texts []string
	for _, element := range elements {
		texts = append(texts, asJSON(element))
	}
	return texts
}

// each returns a member of each element.
func each(value any, name string) any {
	elements, _ := value.([]any)
	all := []any{}
	for _, element := range elements {
		members, _ := element.(map[string]any)
		all = append(all, members[name])
	}
	return all
}

// storedSet allows another order, another case, each element once and other notations of
// IP addresses.
func storedSet(sent, found any) Status {
	a, b := list(sent), list(found)
	all := func(rules []string) bool { return len(rules) == 0 || slices.Contains(rules, `"*"`) }
	if slices.Equal(a, b) || all(a) && all(b) {
		return same
	}
	return notation(slices.Equal(plainSet(a), plainSet(b)))
}

func plainSet(rules []string) []string {
	var plain []string
	for _, rule := range rules {
		rule = strings.ToLower(strings.Trim(rule, `"`))
		if address, err := netip.ParseAddr(rule); err == nil {
			rule = address.String()
		}
		plain = append(plain, rule)
	}
	slices.Sort(plain)
	return slices.Compact(plain)
}

// storedPairs allows another case of keys and values.
func storedPairs(sent, found any) Status {
	lower := func(value any) (pairs any) {
		_ = json.Unmarshal([]byte(strings.ToLower(asJSON(value))), &pairs) // it is JSON
		return pairs
	}
	return notation(reflect.DeepEqual(lower(sent), lower(found)))
}
