package attribute

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/policy"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// restrictIPsMembers are the members of the config of restrict-ips in public
// use. The API documentation does not define them.
var restrictIPsMembers = []string{"allow", "deny", "enforce", "ip_policies"}

// checkRestrictIPs checks the config of a restrict-ips action. An address that
// no service can understand is an error, everything else is a warning.
func checkRestrictIPs(diags *diag.Diagnostics, at path.Path, config string) {
	value, err := parseJSON(config)
	members, ok := value.(map[string]any)
	if err != nil || !ok {
		return // an error of the type of the attribute
	}
	var unusual []string
	warn := func(format string, arguments ...any) { unusual = append(unusual, fmt.Sprintf(format, arguments...)) }
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if slices.Contains(restrictIPsMembers, name) {
			continue
		}
		meant := OneEditFrom(name, restrictIPsMembers...)
		for _, member := range restrictIPsMembers {
			if meant == "" && strings.HasPrefix(strings.ToLower(name), member) { // such as allowed
				meant = member
			}
		}
		if meant != "" {
			warn("has the unknown member %s. Did you mean %s?", quote.Value(name), quote.Value(meant))
			continue
		}
		warn("has the unknown member %s. Expected %s.", quote.Value(name), Alternatives(restrictIPsMembers))
	}
	if enforce, given := members["enforce"]; given {
		if _, ok := enforce.(bool); !ok {
			warn("has enforce = %s. Expected true or false.", quote.Bare(fmt.Sprint(enforce)))
		}
	}
	for _, name := range []string{"allow", "deny"} {
		list, given := members[name]
		if _, ok := list.([]any); given && !ok {
			warn("has %s = %s. Expected a list of addresses and ranges.", name, quote.Bare(fmt.Sprint(list)))
		}
		for i, element := range policy.Ranges(members, name) {
			text, ok := element.(string)
			if !ok {
				text = fmt.Sprint(element)
			}
			if policy.IsComputed(text) {
				continue
			}
			if reason := policy.UnusualRange(text); reason != "" {
				warn("has %s[%d], but this %s.", name, i, reason)
			}
			if _, err := policy.ParseRange(text); err != nil {
				diags.AddAttributeError(at, "Invalid IP address or range", fmt.Sprintf("%s is invalid: %s[%d] %s.", at, name, i, err))
			}
		}
	}
	if len(policy.Ranges(members, "allow"))+len(policy.Ranges(members, "deny")) == 0 && members["ip_policies"] == nil {
		warn("has no addresses in allow or deny.")
	}
	if len(unusual) > 0 { // one warning, because Terraform shows only the first of several with the same summary
		diags.AddAttributeWarning(
			at, "Unusual restrict-ips action", fmt.Sprintf("%s %s The service may reject or ignore it.", at, strings.Join(unusual, " It ")),
		)
	}
}
