package behavior

import (
	"encoding/json"
	"encoding/pem"
	"maps"
	"math/big"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
)

// valueChange changes a value in the object in.
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

// pairs returns a change for the keys and values of an object with string
// values.
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

// celParts returns a change for the code and the string literals of a CEL
// expression.
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

// parenthesized puts an expression in parentheses, unless it begins with some.
func parenthesized(expression string) string {
	if strings.HasPrefix(expression, "(") {
		return expression
	}
	return "(" + expression + ")"
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

// compressedRanges writes the addresses and ranges of restrict-ips in their
// shortest notation.
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

// rounded replaces integers that a 64-bit float cannot hold, like a service in
// JavaScript.
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

// lastYear is the last one that RFC 3339 can write.
const lastYear = 9999

// withMilliseconds returns a time in the same second, as a service shows it that
// keeps more than a certificate can contain.
func withMilliseconds(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return at.Truncate(time.Second).Add(482 * time.Millisecond).Format(time.RFC3339Nano)
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
	return func(any, map[string]any) any { return body.Decode(body.Marshal(constant)) }
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

// masked returns the range of an address or a range, from its first address.
func masked(text string) string {
	if address, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(address, address.BitLen()).String()
	}
	if prefix, err := netip.ParsePrefix(text); err == nil {
		return prefix.Masked().String()
	}
	return text
}
