package attribute

import "github.com/tunnel-service/terraform-provider-tunnel/internal/policy"

// configOf returns the config of an action in one notation: without members
// that are null, and with the addresses and ranges of restrict-ips in their
// shortest form. It changes value.
func configOf(value any) any {
	members, ok := value.(map[string]any)
	if !ok {
		return value
	}
	withoutNulls(members)
	for _, name := range []string{"allow", "deny"} {
		for i, element := range policy.Ranges(members, name) {
			if text, ok := element.(string); ok {
				if block, err := policy.ParseRange(text); err == nil {
					policy.Ranges(members, name)[i] = block.String()
				}
			}
		}
	}
	return members
}

// withoutNulls removes the members of objects that are null.
func withoutNulls(value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			if member == nil {
				delete(value, name)
			}
			withoutNulls(member)
		}
	case []any:
		for _, element := range value {
			withoutNulls(element)
		}
	}
}
