package attribute

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// TestValidators_mistakes has values as other products write them, and what the
// validators of a new object say.
func TestValidators_mistakes(t *testing.T) {
	t.Parallel()
	variables, actions := []validator.String{CELVariables}, []validator.String{ActionSpelling}
	for _, test := range []struct {
		validators []validator.String
		text, want string // no want if nothing is said
	}{
		{IPRangeForm, "0.0.0.0/0", ""},
		{IPRangeForm, "0.0.0.0", "a single address that no client has. For all addresses, write 0.0.0.0/0"},
		{IPRangeForm, "::", "write ::/0"},
		{IPRangeForm, "10.0.0.0/255.0.0.0", "Write the mask as a number of bits: 10.0.0.0/8"},
		{IPRangeForm, "10.0.0.0/255.0.255.0", "must be an IP address or a range"},
		{IPRangeForm, "Any", "For all addresses, write 0.0.0.0/0 and ::/0"},
		{IPRangeForm, "192.0.2.1-192.0.2.9", "Write a range from one address to another as ranges in CIDR notation"},
		{IPRangeForm, "010.0.0.0/8", "Write the numbers without leading zeros"},
		{IPRangeForm, "10.0.0.0/08", "Write the numbers without leading zeros"},
		{IPRangeForm, "192.0.2.7/24", "is 192.0.2.7/24, which is in the range 192.0.2.0/24. Write the range, or the single address 192.0.2.7"},
		{ACLRules, "bind:env=dev", ""},
		{ACLRules, "bind:22", "For a port, write its host, too: bind:<host>:22"},
		{ACLRules, "bind:env = dev", "Write bind:env=dev"},
		{variables, "conn.client_ip == '192.0.2.1'", ""},
		{variables, "my.own == '192.0.2.1'", ""},
		{variables, "source.ip == '192.0.2.1'", "has the variable source.ip at column 1. Did you mean conn.client_ip?"},
		{variables, "req.url.path == '/admin'", "a policy decides about connections, before there is an HTTP request"},
		{actions, "deny", ""},
		{actions, "rate-limit", ""},
		{actions, "block", `Did you mean "deny"?`},
		{actions, "allow", "no rule allows a connection ahead of later ones. To exempt traffic, negate the condition in the rule that denies"},
	} {
		var resp validator.StringResponse
		for _, v := range test.validators {
			v.ValidateString(WithPriorState(t.Context(), nil), validator.StringRequest{Path: path.Root("a"), ConfigValue: types.StringValue(test.text)}, &resp)
		}
		if text := fmt.Sprint(resp.Diagnostics); len(resp.Diagnostics) != min(1, len(test.want)) || !strings.Contains(text, test.want) {
			t.Errorf("%s: %s, want %q", test.text, text, test.want)
		}
	}
}
