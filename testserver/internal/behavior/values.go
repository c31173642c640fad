package behavior

import (
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
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

// formatted writes a CEL expression as a service does that parses it. Text in quotes
// stays.
func formatted(expression string) string {
	var out strings.Builder
	end := 0
	for _, at := range literal.FindAllStringIndex(expression, -1) {
		quoted := expression[at[0]:at[1]]
		if quoted[0] == '\'' && !strings.ContainsAny(quoted, `"\`) {
			quoted = `"` + quoted[1:len(quoted)-1] + `"`
		}
		out.WriteString(spaces.ReplaceAllString(expression[end:at[0]], " ") + quoted)
		end = at[1]
	}
	text := strings.TrimSpace(out.String() + spaces.ReplaceAllString(expression[end:], " "))
	if text == "" || strings.HasPrefix(text, "(") {
		return text
	}
	return "(" + text + ")"
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
	if prefix, ok := keys.Range(text); ok {
		return prefix.String()
	}
	return text
}
