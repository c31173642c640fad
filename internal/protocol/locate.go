package protocol

// This file keeps a promise: each diagnostic stands at a line that Terraform
// finds, and Terraform prints no line that may contain a secret.

import (
	"regexp"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// located sets the path of each diagnostic to its top-level attribute.
// Terraform finds the lines of these only: for a deeper path, such as
// inbound[0].expressions[1], it shows the first line of the whole block. The
// text of a diagnostic has the exact path.
//
// A diagnostic of an attribute that is secret, or that has a private key or a secret
// access key in a wrong place, gets no path, because Terraform prints the lines of an
// argument, such as a key between <<EOT and EOT.
//
// It omits a diagnostic of a part of an unknown value: the framework takes the
// parts of an unknown element, such as a rule that is a variable, for missing.
func located(
	of tftypes.Type, isSecret func(attribute string) bool, config *tfprotov6.DynamicValue, diags []*tfprotov6.Diagnostic,
) []*tfprotov6.Diagnostic {
	var value tftypes.Value
	var attributes map[string]tftypes.Value
	if len(diags) > 0 && config != nil {
		var err error
		if value, err = config.Unmarshal(of); err == nil {
			_ = value.As(&attributes) // stays nil for an object that is deleted
		}
	}
	diags = slices.DeleteFunc(diags, func(d *tfprotov6.Diagnostic) bool { return isInUnknown(value, d.Attribute) })
	secret := map[string]bool{} // by attribute
	for _, d := range diags {
		name := rootOf(d)
		if name == "" {
			continue
		}
		if _, searched := secret[name]; !searched {
			secret[name] = isSecret(name) || hasSecret(attributes[name])
		}
		if secret[name] {
			d.Attribute = nil
			if !regexp.MustCompile(`(?i)(\b|_)` + name + `\b`).MatchString(d.Detail) {
				d.Detail = name + ": " + d.Detail
			}
			continue
		}
		d.Attribute = tftypes.NewAttributePath().WithAttributeName(name)
	}
	return diags
}

// isInUnknown reports whether a path leads into an unknown part of a value.
func isInUnknown(value tftypes.Value, at *tftypes.AttributePath) bool {
	for whole := at; whole != nil && len(whole.Steps()) > 1; {
		whole = whole.WithoutLastStep()
		found, _, err := tftypes.WalkAttributePath(value, whole)
		if part, ok := found.(tftypes.Value); err == nil && ok {
			return !part.IsKnown()
		}
	}
	return false
}

// hasSecret reports whether a text or a key in a value looks like a secret.
func hasSecret(value tftypes.Value) (found bool) {
	_ = tftypes.Walk(value, func(at *tftypes.AttributePath, part tftypes.Value) (bool, error) {
		var text string
		if part.Type() != nil && part.IsKnown() && part.Type().Is(tftypes.String) {
			_ = part.As(&text) // a string, or null
		}
		key, _ := at.LastStep().(tftypes.ElementKeyString)
		for _, text := range []string{text, string(key)} {
			found = found || quote.HasPrivateKey(text) || quote.IsSecretAccessKey(text)
		}
		return !found, nil
	}) // the function returns no error
	return found
}
