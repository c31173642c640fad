package testserver

import (
	"encoding/json"
	"encoding/pem"
	"maps"
	"math/big"
	"net/http"
	"net/netip"
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Groups of types for the rules.
var (
	freeTexts   = []string{"Description", "Metadata", "Body", "RuleName"}
	pemTexts    = []string{"SSHPublicKey", "SSHCertificate", "CertificateChain"}
	ipLists     = []string{"Acl", "Principals", "Hostports", "CertificateNames"}
	times       = []string{"Timestamp", "CreatedAt", "Expiry"}
	informative = []string{"Uri", "CreatedAt", "KeyType", "CertificateText", "CertificateNames", "CertificateUsages", "TLSCertificateSANs", "CertificateStatus", "HostText"}
)

// normalRules are all rules. A field of openapi.yaml is covered by the schema that it refers to.
var normalRules = []normalRule{
	{name: "text_trimmed", types: freeTexts, change: text(strings.TrimSpace)},
	{name: "newline_dropped", types: slices.Concat(freeTexts, pemTexts), change: text(func(s string) string { return strings.TrimRight(s, "\n") })},
	{name: "newline_added", types: slices.Concat(freeTexts, pemTexts), change: text(withNewline)},
	{name: "description_generated", types: []string{"Description"}, change: generated("Created by the service")},
	{name: "name_generated", types: []string{"RuleName"}, change: generated("rule")},

	{name: "acl_lower", types: []string{"Acl"}, change: each(aclCase(strings.ToLower))},
	{name: "acl_upper", types: []string{"Acl"}, change: each(aclCase(strings.ToUpper))},
	{name: "principals_lower", types: []string{"Principals"}, change: each(strings.ToLower)},
	{name: "principals_upper", types: []string{"Principals"}, change: each(strings.ToUpper)},
	{name: "hostports_lower", types: []string{"Hostports"}, change: each(strings.ToLower)},
	{name: "hostports_upper", types: []string{"Hostports"}, change: each(strings.ToUpper)},
	{name: "domain_lower", types: []string{"Domain"}, change: text(strings.ToLower)},
	{name: "domain_upper", types: []string{"Domain"}, change: text(strings.ToUpper)},
	{name: "labels_lower", types: []string{"Labels"}, change: pairs(strings.ToLower, strings.ToLower)},
	{name: "header_names_canonical", types: []string{"Headers"}, change: pairs(textproto.CanonicalMIMEHeaderKey, same)},
	{name: "ipv6_expanded", types: ipLists, change: each(ipv6(netip.Addr.StringExpanded))},
	{name: "ipv6_compressed", types: ipLists, change: each(ipv6(netip.Addr.String))},

	{name: "cel_trimmed", types: []string{"Expressions"}, change: each(strings.TrimSpace)},
	{name: "cel_spaces", types: []string{"Expressions"}, change: each(celParts(func(code string) string { return spaces.ReplaceAllString(code, " ") }, same))},
	{name: "cel_requoted", types: []string{"Expressions"}, change: each(celParts(same, requoted))},
	{name: "config_nulls_dropped", types: []string{"ActionConfig"}, change: withoutNulls},
	{name: "config_ipv6_compressed", types: []string{"ActionConfig"}, change: compressedRanges},
	{name: "config_default_added", types: []string{"ActionConfig"}, change: withDefault},
	{name: "config_number_rounded", types: []string{"ActionConfig"}, change: rounded},

	{name: "valid_until_capped", types: []string{"Expiry"}, change: capped},
	{name: "chain_leaf", types: []string{"CertificateChain"}, change: text(leafOnly)},
	{name: "times_offset", types: times, change: text(withOffset)},
	{name: "times_fraction", types: times, change: text(withFraction)},
	{name: "uri_other_host", types: []string{"Uri"}, change: text(otherHost)},

	{name: "tunnels_strings", types: []string{"Tunnels"}, change: always([]any{"tn_1", "tn_2"})},
	{name: "tunnels_numbers", types: []string{"Tunnels"}, change: always([]any{1, 2.5})},
	{name: "tunnels_objects", types: []string{"Tunnels"}, change: always([]any{map[string]any{"session": map[string]any{"id": 7}}, map[string]any{"id": 7, "uri": nil}})},
	{name: "tunnels_mixed", types: []string{"Tunnels"}, change: always([]any{nil, true, []any{}, map[string]any{"id": "tn_1"}})},
	{name: "informative_number", types: informative, change: func(value any, _ map[string]any) any { return ifPresent(value, 7) }},
	{name: "informative_object", types: informative, change: func(value any, _ map[string]any) any { return ifPresent(value, map[string]any{"value": value}) }},
	{name: "informative_null", types: informative, change: func(value any, _ map[string]any) any { return ifPresent(value, nil) }},
	{name: "null_where_absent", change: nullIfMissing},

	{name: "patch_keeps_empty", empty: true},
	{name: "patch_part_sent", patch: func(a *answer, members, sent map[string]any) { a.body = marshal(partOf(members, sent)) }},
	{name: "patch_part_id", patch: func(a *answer, members, _ map[string]any) { a.body = marshal(partOf(members, nil)) }},
	{name: "patch_empty", patch: func(a *answer, _, _ map[string]any) { a.body = nil }},
	{name: "patch_204", patch: func(a *answer, _, _ map[string]any) {
		a.status, a.body = http.StatusNoContent, nil
		a.header.Del("Content-Type")
	}},
}

type valueChange = func(value any, in map[string]any) any

func same(text string) string { return text }

// text returns a change for strings.
func text(change func(string) string) valueChange {
	return func(value any, _ map[string]any) any {
		if text, ok := value.(string); ok {
			return change(text)
		}
		return value
	}
}

// each returns a change for the strings of a list.
func each(change func(string) string) valueChange {
	return func(value any, _ map[string]any) any {
		list, _ := value.([]any)
		for i := range list {
			list[i] = text(change)(list[i], nil)
		}
		return value
	}
}

// pairs returns a change for the keys and values of an object with string values.
func pairs(changeKey, changeValue func(string) string) valueChange {
	return func(value any, _ map[string]any) any {
		members, ok := value.(map[string]any)
		if !ok {
			return value
		}
		changed := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(members)) {
			changed[changeKey(key)] = text(changeValue)(members[key], nil)
		}
		return changed
	}
}

func withNewline(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// generated returns a change that fills in a text that was not set.
func generated(text string) valueChange {
	return func(value any, _ map[string]any) any {
		if value == (missing{}) || value == nil || value == "" {
			return text
		}
		return value
	}
}

// aclCase returns a change for the host of a rule.
func aclCase(change func(string) string) func(string) string {
	return func(rule string) string {
		host, isBind := strings.CutPrefix(rule, "bind:")
		if !isBind || strings.Contains(host, "=") {
			return rule
		}
		return "bind:" + change(host)
	}
}

var bracketed = regexp.MustCompile(`\[[0-9A-Fa-f:.]+\]`)

// ipv6 returns a change for IPv6 addresses in brackets or alone.
func ipv6(form func(netip.Addr) string) func(string) string {
	formed := func(text string) string {
		if address, err := netip.ParseAddr(text); err == nil && address.Is6() {
			return form(address)
		}
		return text
	}
	return func(text string) string {
		return bracketed.ReplaceAllStringFunc(formed(text), func(host string) string {
			return "[" + formed(host[1:len(host)-1]) + "]"
		})
	}
}

var (
	spaces  = regexp.MustCompile(`\s+`)
	literal = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)
)

// celParts returns a change for the code and the string literals of a CEL expression.
func celParts(code, quoted func(string) string) func(string) string {
	return func(expression string) string {
		var out strings.Builder
		end := 0
		for _, at := range literal.FindAllStringIndex(expression, -1) {
			out.WriteString(code(expression[end:at[0]]))
			out.WriteString(quoted(expression[at[0]:at[1]]))
			end = at[1]
		}
		return out.String() + code(expression[end:])
	}
}

func requoted(literal string) string {
	if literal[0] == '\'' && !strings.ContainsAny(literal, `"\`) {
		return `"` + literal[1:len(literal)-1] + `"`
	}
	return literal
}

func withoutNulls(value any, _ map[string]any) any {
	if members, ok := value.(map[string]any); ok {
		maps.DeleteFunc(members, func(_ string, member any) bool { return member == nil })
		for _, member := range members {
			withoutNulls(member, nil)
		}
	}
	return value
}

// compressedRanges writes the addresses and ranges of restrict-ips in their shortest notation.
func compressedRanges(value any, _ map[string]any) any {
	members, _ := value.(map[string]any)
	for _, name := range []string{"allow", "deny"} {
		each(func(text string) string {
			if block, err := netip.ParsePrefix(text); err == nil {
				return block.String()
			}
			return ipv6(netip.Addr.String)(text)
		})(members[name], nil)
	}
	return value
}

func withDefault(value any, _ map[string]any) any {
	if members, ok := value.(map[string]any); ok && members["x_default"] == nil {
		members["x_default"] = true
	}
	return value
}

// rounded replaces integers that a 64-bit float cannot hold, like a service in JavaScript.
func rounded(value any, _ map[string]any) any {
	switch value := value.(type) {
	case json.Number:
		if exact, ok := new(big.Int).SetString(value.String(), 10); ok {
			float, _ := new(big.Float).SetInt(exact).Float64()
			whole, _ := big.NewFloat(float).Int(nil)
			return json.Number(whole.String())
		}
	case map[string]any:
		for name := range value {
			value[name] = rounded(value[name], nil)
		}
	case []any:
		for i := range value {
			value[i] = rounded(value[i], nil)
		}
	}
	return value
}

// maxValidity is the longest period of validity after valid_until_capped.
const maxValidity = 90 * 24 * time.Hour

func capped(value any, in map[string]any) any {
	begin, _ := in["valid_after"].(string)
	end, _ := value.(string)
	after, beginErr := time.Parse(time.RFC3339, begin)
	until, endErr := time.Parse(time.RFC3339, end)
	if beginErr != nil || endErr != nil || until.Sub(after) <= maxValidity {
		return value
	}
	return after.Add(maxValidity).UTC().Format(time.RFC3339)
}

func leafOnly(chain string) string {
	if leaf, _ := pem.Decode([]byte(chain)); leaf != nil {
		return string(pem.EncodeToMemory(leaf))
	}
	return chain
}

func withOffset(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return at.In(time.FixedZone("", 5*3600+1800)).Format(time.RFC3339Nano)
}

func withFraction(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return at.Format("2006-01-02T15:04:05.000000Z07:00")
}

func otherHost(text string) string {
	address, err := url.Parse(text)
	if err != nil || address.Host == "" {
		return text
	}
	address.Scheme, address.Host = "https", "other.tunnel.example"
	return address.String()
}

// always returns a change to a constant.
func always(constant any) valueChange {
	return func(any, map[string]any) any { return decodeTree(marshal(constant)) }
}

// ifPresent returns the new value of a field that a response contains.
func ifPresent(value, changed any) any {
	if value == (missing{}) {
		return value
	}
	return changed
}

func nullIfMissing(value any, _ map[string]any) any {
	if value == (missing{}) {
		return nil
	}
	return value
}

// partOf returns the members that identify an object, and those that a request contains.
func partOf(members, sent map[string]any) map[string]any {
	part := map[string]any{}
	for name, value := range members {
		if _, given := sent[name]; given || slices.Contains(identifying, name) {
			part[name] = value
		}
	}
	return part
}
