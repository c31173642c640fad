package variation

import (
	"net/netip"
	"net/textproto"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
)

// Groups of types for the rules.
var (
	freeTexts   = []string{"Description", "Metadata", "Body", "RuleName"}
	pemTexts    = []string{"SSHPublicKey", "SSHCertificate", "CertificateChain"}
	ipLists     = []string{"Acl", "Principals", "Hostports", "CertificateNames"}
	times       = []string{"Timestamp", "CreatedAt", "Expiry"}
	informative = []string{
		"Uri",
		"CreatedAt",
		"KeyType",
		"CertificateText",
		"CertificateNames",
		"CertificateUsages",
		"TLSCertificateSANs",
		"CertificateStatus",
		"HostText",
	}
)

// normalRules are all rules. A field of openapi.yaml is covered by the schema
// that it refers to.
var normalRules = []normalRule{
	{name: "text_trimmed", types: freeTexts, change: text(strings.TrimSpace)},
	{
		name:   "newline_dropped",
		types:  slices.Concat(freeTexts, pemTexts),
		change: text(func(s string) string { return strings.TrimRight(s, "\n") }),
	},
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
	{name: "domain_dot", types: []string{"Domain"}, change: text(func(s string) string { return strings.TrimSuffix(s, ".") + "." })},
	{name: "cidr_masked", types: []string{"IPRange"}, change: text(masked)},
	{name: "labels_lower", types: []string{"Labels"}, change: pairs(strings.ToLower, strings.ToLower)},
	{name: "header_names_canonical", types: []string{"Headers"}, change: pairs(textproto.CanonicalMIMEHeaderKey, same)},
	{name: "ipv6_expanded", types: ipLists, change: each(ipv6(netip.Addr.StringExpanded))},
	{name: "ipv6_compressed", types: ipLists, change: each(ipv6(netip.Addr.String))},

	{name: "cel_trimmed", types: []string{"Expressions"}, change: each(strings.TrimSpace)},
	{
		name:   "cel_spaces",
		types:  []string{"Expressions"},
		change: each(celParts(func(code string) string { return spaces.ReplaceAllString(code, " ") }, same)),
	},
	{name: "cel_requoted", types: []string{"Expressions"}, change: each(celParts(same, requoted))},
	{name: "cel_parenthesized", types: []string{"Expressions"}, change: each(parenthesized)},
	{name: "config_nulls_dropped", types: []string{"ActionConfig"}, change: withoutNulls},
	{name: "config_ipv6_compressed", types: []string{"ActionConfig"}, change: compressedRanges},
	{name: "config_default_added", types: []string{"ActionConfig"}, change: withDefault},
	{name: "config_number_rounded", types: []string{"ActionConfig"}, change: rounded},

	{name: "valid_until_capped", types: []string{"Expiry"}, change: capped},
	{name: "chain_leaf", types: []string{"CertificateChain"}, change: text(leafOnly)},
	{name: "times_offset", types: times, change: text(withOffset)},
	{name: "times_fraction", types: times, change: text(withFraction)},
	{name: "times_milliseconds", types: times, change: text(withMilliseconds)},
	{name: "uri_other_host", types: []string{"Uri"}, change: text(otherHost)},

	{name: "tunnels_strings", types: []string{"Tunnels"}, change: always([]any{"tn_1", "tn_2"})},
	{name: "tunnels_numbers", types: []string{"Tunnels"}, change: always([]any{1, 2.5})},
	{
		name:   "tunnels_objects",
		types:  []string{"Tunnels"},
		change: always([]any{map[string]any{"session": map[string]any{"id": 7}}, map[string]any{"id": 7, "uri": nil}}),
	},
	{name: "tunnels_mixed", types: []string{"Tunnels"}, change: always([]any{nil, true, []any{}, map[string]any{"id": "tn_1"}})},
	{name: "informative_number", types: informative, change: func(value any, _ map[string]any) any { return ifPresent(value, 7) }},
	{
		name:   "informative_object",
		types:  informative,
		change: func(value any, _ map[string]any) any { return ifPresent(value, map[string]any{"value": value}) },
	},
	{name: "informative_null", types: informative, change: func(value any, _ map[string]any) any { return ifPresent(value, nil) }},
	{name: "null_where_absent", change: nullIfMissing},

	{name: "patch_keeps_empty", empty: true},
	{name: "patch_part_sent", patch: func(r *patchReply, members, sent map[string]any) { r.body = body.Marshal(partOf(members, sent)) }},
	{name: "patch_part_id", patch: func(r *patchReply, members, _ map[string]any) { r.body = body.Marshal(partOf(members, nil)) }},
	{name: "patch_empty", patch: func(r *patchReply, _, _ map[string]any) { r.body = nil }},
	{name: "patch_204", patch: func(r *patchReply, _, _ map[string]any) { r.body, r.noContent = nil, true }},
}

type valueChange = func(value any, in map[string]any) any
