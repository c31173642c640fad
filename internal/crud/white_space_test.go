package crud_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestPlan_saysWhiteSpace checks that a plan says which white space changes in a text
// where it means something, because Terraform does not show it, and nothing else.
func TestPlan_saysWhiteSpace(t *testing.T) {
	t.Parallel()
	const kind = "tunnel_http_response_backend"
	for name, test := range map[string]struct {
		before, after, says string
	}{
		"line end":     {"Back soon", "Back soon\n", `body changes from "Back soon" to "Back soon\n".`},
		"CRLF":         {"Back\nsoon", "Back\r\nsoon", `body changes from "Back\nsoon" to "Back\r\nsoon".`},
		"blank":        {"Back soon ", "Back soon", `body changes from "Back soon " to "Back soon".`},
		"another text": {"Back soon", "Back later\n", ""},
		"removed":      {"Back soon", "", ""},
		"JSON":         {"{\n  \"a\": 1\n}", `{"a":1}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := acctest.Start(t).Protocol(t)
			state, diagnostics := apply(t, p, kind, tftypes.NewValue(p.Type(kind), nil), object{"body": test.before})
			acctest.ExpectNone(t, diagnostics)
			plan := p.Plan(kind, state, acctest.FromJSON(p.Type(kind), object{"body": test.after}))
			if test.says == "" {
				acctest.ExpectNone(t, plan.Diagnostics)
				return
			}
			acctest.Expect(t, plan.Diagnostics, tfprotov6.DiagnosticSeverityWarning, acctest.At("body"), "Only white space changes", test.says)
		})
	}
}
