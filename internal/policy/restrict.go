package policy

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"sigs.k8s.io/json"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// Ranges returns the elements of a member of the config of restrict-ips, allow
// or deny. It returns nil if there is no such member or if it is not a list.
func Ranges(config map[string]any, member string) []any {
	list, _ := config[member].([]any)
	return list
}

// IsComputed reports whether an element of a config has a part that the service
// computes for each connection from a CEL expression, such as ${conn.client_ip}.
func IsComputed(text string) bool { return strings.Contains(text, "${") }

// restrict reports whether restrict-ips lets a connection pass.
func restrict(text string, connection map[string]any) (truth, *gap) {
	unsure := func(format string, arguments ...any) (truth, *gap) {
		return maybe, &gap{reason: fmt.Sprintf("restrict-ips: "+format, arguments...)}
	}
	var config map[string]any
	if text != "" {
		repeated, err := json.UnmarshalStrict([]byte(text), &config, json.DisallowDuplicateFields)
		if err != nil {
			return unsure("config is not a JSON object")
		}
		if len(repeated) > 0 {
			return unsure("config has a key twice")
		}
	}
	maps.DeleteFunc(config, func(_ string, value any) bool { return value == nil })
	enforce, given := config["enforce"]
	if enforce == false {
		return yes, nil
	}
	if given && enforce != true {
		return unsure("enforce is not a boolean")
	}
	address, found := clientAddress(connection)
	if found != nil {
		return maybe, found
	}
	contains := map[string]bool{}
	for _, member := range []string{"deny", "allow"} {
		if _, isList := config[member].([]any); config[member] != nil && !isList {
			return unsure("%s is not a list", member)
		}
		for _, element := range Ranges(config, member) {
			one, _ := element.(string)
			if IsComputed(one) {
				return unsure("an element of %s is computed by the service: %s", member, quote.Value(one))
			}
			prefix, err := ParseRange(one)
			if err != nil {
				return unsure("an element of %s %s", member, err)
			}
			if err := definite(address, prefix); err != nil {
				return unsure("%s", err)
			}
			contains[member] = contains[member] || prefix.Contains(address)
		}
	}
	if contains["deny"] {
		return no, nil
	}
	for _, member := range slices.Sorted(maps.Keys(config)) {
		if !slices.Contains([]string{"enforce", "allow", "deny"}, member) {
			return unsure("the effect of %s is not known", member)
		}
	}
	switch {
	case contains["allow"]:
		return yes, nil
	case len(Ranges(config, "allow")) > 0:
		return no, nil
	}
	return unsure("without allow, the API documentation does not define whether other addresses pass")
}

// clientAddress returns the variable conn.client_ip of a connection.
func clientAddress(connection map[string]any) (netip.Addr, *gap) {
	conn, _ := connection["conn"].(map[string]any)
	if conn["client_ip"] == nil {
		return netip.Addr{}, notKnown(connection, "conn.client_ip")
	}
	text, _ := conn["client_ip"].(string)
	address, err := parseAddress(text)
	if err != nil {
		return netip.Addr{}, &gap{reason: "conn.client_ip: " + err.Error()}
	}
	return address, nil
}

// parseAddress parses an IP address. It rejects IPv4 addresses that are mapped
// to IPv6: whether they are in a range of IPv4 addresses is not defined.
func parseAddress(text string) (netip.Addr, error) {
	address, err := netip.ParseAddr(text)
	switch {
	case err != nil || address.Zone() != "":
		return netip.Addr{}, fmt.Errorf("%s is not an IPv4 or IPv6 address", quote.Value(text))
	case address.Is4In6():
		return netip.Addr{}, fmt.Errorf("%s is not a plain IPv4 or IPv6 address. Write it as %s", quote.Value(text), address.Unmap())
	}
	return address, nil
}

// definite returns an error if it is not defined whether a range contains an
// address: one of IPv4 addresses that are mapped to IPv6, and an IPv4 address.
func definite(address netip.Addr, prefix netip.Prefix) error {
	if address.Is4() && prefix.Addr().Is4In6() {
		return fmt.Errorf("whether %s contains an IPv4 address is not defined", quote.Value(prefix.String()))
	}
	return nil
}
