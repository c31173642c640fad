package protocol

// This file keeps a promise: no plan sends a private key to the service, or writes
// it into the state, in an attribute that is not secret.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// refusePrivateKeys returns the diagnostics of a plan, with an error for each
// attribute that gets a private key although it is not secret. The error replaces
// the other diagnostics of the attribute. A text that the prior state has in the
// same attribute is not new, wherever in it.
func refusePrivateKeys(r Resource, before, after map[string]tftypes.Value, diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if r.IsSecret(name) || before != nil && before[name].Equal(after[name]) {
			continue
		}
		held := map[string]bool{}
		if before != nil {
			texts(before[name], func(_ *tftypes.AttributePath, text string) { held[text] = true })
		}
		place := ""
		texts(after[name], func(at *tftypes.AttributePath, text string) {
			if place == "" && !held[text] && quote.HasKeyContent(text) {
				place = name + pathText(at)
			}
		})
		if place == "" {
			continue
		}
		diags = slices.DeleteFunc(diags, func(d *tfprotov6.Diagnostic) bool { return rootOf(d) == name })
		diags = append(diags, &tfprotov6.Diagnostic{ // without a path, see located
			Severity: tfprotov6.DiagnosticSeverityError, Summary: "Private key in a public attribute",
			Detail: fmt.Sprintf("%s must not contain a private key; found %s. This attribute is not secret: Terraform shows it in plans and stores "+
				"it in the state, and the service returns it. Remove the private key. If the text is an example, shorten the key to MIIE..., for "+
				"instance.", place, quote.PrivateKey),
		})
	}
	return diags
}

// texts calls do with the known strings in a value, and with the keys of its maps.
func texts(value tftypes.Value, do func(at *tftypes.AttributePath, text string)) {
	walk(value, func(at *tftypes.AttributePath, part tftypes.Value) {
		var text string
		var members map[string]tftypes.Value
		switch {
		case !part.IsKnown() || part.IsNull():
		case part.Type().Is(tftypes.String) && part.As(&text) == nil:
			do(at, text)
		case part.Type().Is(tftypes.Map{}) && part.As(&members) == nil:
			for _, key := range slices.Sorted(maps.Keys(members)) {
				do(at, key)
			}
		}
	})
}

// pathText returns a path inside an attribute for a message, such as
// [0].actions[1].config.
func pathText(at *tftypes.AttributePath) string {
	var text strings.Builder
	for _, step := range at.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			text.WriteString("." + string(step))
		case tftypes.ElementKeyInt:
			fmt.Fprintf(&text, "[%d]", int64(step))
		case tftypes.ElementKeyString:
			text.WriteString("[" + quote.Value(string(step)) + "]")
		}
	}
	return text.String()
}
