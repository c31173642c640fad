package protocol

// This file keeps a promise: every mistake is found before the apply, and every
// object that the service holds can be managed.

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// The service may hold objects that violate limits that the API contract does not state,
// and Terraform validates a configuration without the object. So a plan validates the
// configuration once more, with these limits, and reports those of what it sets or
// changes (see attribute.Limits). This way, every object can be imported and kept.

// ValidateResourceConfig validates a configuration, unless a plan follows that
// does so: Terraform configures the provider for plans only, and validates each
// object just before it plans it. Most objects do not change, and their
// configuration is what a plan validated before.
func (s *server) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	r, known := s.resources[req.TypeName]
	if !known {
		return s.wholeServer.ValidateResourceConfig(ctx, req)
	}
	if s.configuration() != nil {
		return &tfprotov6.ValidateResourceConfigResponse{}, nil
	}
	found, err := s.validate(ctx, r, req, &attribute.Findings{WithoutLimits: true})
	return &tfprotov6.ValidateResourceConfigResponse{Diagnostics: found}, err
}

// validate returns the diagnostics of a configuration, without those of limits.
func (s *server) validate(
	ctx context.Context, r Resource, req *tfprotov6.ValidateResourceConfigRequest, findings *attribute.Findings,
) ([]*tfprotov6.Diagnostic, error) {
	ctx, end := releasedContext(ctx)
	defer end()
	resp, err := s.wholeServer.ValidateResourceConfig(attribute.WithFindings(ctx, findings), req)
	if err != nil {
		return nil, err
	}
	for _, found := range findings.Invalid {
		resp.Diagnostics = append(resp.Diagnostics, toProtocol(found))
	}
	wrong, others := splitNumbers(r.StateType(ctx), req.Config, resp.Diagnostics)
	return located(r.StateType(ctx), r.IsSecret, req.Config, slices.Concat(wrong, others)), nil
}

// validateInPlan validates the configuration of a plan. It returns the violations of
// limits apart from what terraform validate reports, too.
func (s *server) validateInPlan(
	ctx context.Context, r Resource, req *tfprotov6.PlanResourceChangeRequest,
) (invalid []*tfprotov6.Diagnostic, limits diag.Diagnostics, err error) {
	if req.Config == nil || bytes.Equal(req.Config.MsgPack, null) {
		return nil, nil, nil
	}
	var findings attribute.Findings
	invalid, err = s.validate(ctx, r, &tfprotov6.ValidateResourceConfigRequest{
		TypeName: req.TypeName, Config: req.Config,
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	}, &findings)
	if s.configuration() == nil { // then Terraform has validated the configuration before the plan
		invalid = nil
	}
	return invalid, findings.Limits, err
}

func hasError(diags []*tfprotov6.Diagnostic) bool {
	return slices.ContainsFunc(diags, func(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError })
}

// ValidateProviderConfig validates the provider block, and reports numbers that
// are not integers in words for users.
func (s *server) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.wholeServer.ValidateProviderConfig(ctx, req)
	if err == nil {
		wrong, others := splitNumbers(s.providerType, req.Config, resp.Diagnostics)
		resp.Diagnostics = located(s.providerType, s.isSecret, req.Config, slices.Concat(wrong, others))
	}
	return resp, err
}

// splitNumbers returns one error for each attribute that is a number but not a
// 64-bit integer, and the diagnostics of all other attributes. All numbers of
// this provider are 64-bit integers, and the framework reports other numbers as
// a defect of the provider.
func splitNumbers(of tftypes.Type, config *tfprotov6.DynamicValue, diags []*tfprotov6.Diagnostic) (wrong, others []*tfprotov6.Diagnostic) {
	if len(diags) == 0 {
		return nil, nil
	}
	value, err := config.Unmarshal(of)
	var attributes map[string]tftypes.Value
	if err != nil || value.As(&attributes) != nil {
		return nil, diags
	}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		var number big.Float
		if attribute := attributes[name]; !attribute.Type().Is(tftypes.Number) || attribute.IsNull() || !attribute.IsKnown() ||
			attribute.As(&number) != nil {
			continue
		}
		if _, accuracy := number.Int64(); accuracy == big.Exact {
			continue
		}
		must := "must be a whole number"
		if number.IsInt() {
			must = "must be closer to zero"
		}
		wrong = append(wrong, &tfprotov6.Diagnostic{
			Severity: tfprotov6.DiagnosticSeverityError, Attribute: tftypes.NewAttributePath().WithAttributeName(name),
			Summary: "Invalid number", Detail: name + " " + must + "; found " + number.Text('g', -1) + ".",
		})
		diags = slices.DeleteFunc(diags, func(d *tfprotov6.Diagnostic) bool { return rootOf(d) == name })
	}
	return wrong, diags
}

// checkChanges adds to a plan the violations of limits by the attributes that the plan
// sets or changes, and refuses private keys. In an update, which sends the whole object,
// errors in the other attributes, and in the elements and members that do not change,
// become warnings.
func checkChanges(
	ctx context.Context, r Resource, req *tfprotov6.PlanResourceChangeRequest, resp *tfprotov6.PlanResourceChangeResponse,
	limits diag.Diagnostics,
) error {
	if req.Config == nil || bytes.Equal(req.Config.MsgPack, null) {
		return nil // the object is deleted
	}
	planned := resp.PlannedState
	if planned == nil {
		planned = req.ProposedNewState
	}
	if req.PriorState != nil && planned != nil && bytes.Equal(planned.MsgPack, req.PriorState.MsgPack) {
		return nil
	}
	before, err := attributesOf(ctx, r, req.PriorState)
	if err != nil {
		return err
	}
	after, err := attributesOf(ctx, r, planned)
	if err != nil {
		return err
	}
	updated, same, kept := false, map[string]bool{}, map[string]map[string]bool{}
	for name, value := range after {
		same[name] = before != nil && before[name].Equal(value)
		updated = updated || before != nil && r.ReturnedByAPI(name) && !same[name]
	}
	if before != nil && !updated {
		limits = nil
	}
	for _, found := range limits {
		d := toProtocol(found)
		name := rootOf(d)
		if !r.ReturnedByAPI(name) {
			continue
		}
		if before != nil && !same[name] && kept[name] == nil {
			kept[name] = keptParts(before[name], after[name])
		}
		isKept := isKeptPart(kept[name], d.Attribute)
		switch {
		case !same[name] && !isKept:
			resp.Diagnostics = append(resp.Diagnostics, d)
		case d.Severity == tfprotov6.DiagnosticSeverityError:
			if isKept {
				name += pathText(tftypes.NewAttributePathWithSteps(d.Attribute.Steps()[1:]))
			}
			d.Severity = tfprotov6.DiagnosticSeverityWarning
			d.Detail += "\n\n" + name + " is invalid and does not change in this plan. An update sends the whole object, so the service may " +
				"reject it. Fix " + name + ", or revert the other changes."
			resp.Diagnostics = append(resp.Diagnostics, d)
		}
	}
	resp.Diagnostics = refusePrivateKeys(r, before, after, resp.Diagnostics)
	return nil
}

// toProtocol converts a diagnostic of the framework.
func toProtocol(found diag.Diagnostic) *tfprotov6.Diagnostic {
	d := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: found.Summary(), Detail: found.Detail()}
	if found.Severity() == diag.SeverityWarning {
		d.Severity = tfprotov6.DiagnosticSeverityWarning
	}
	placed, ok := found.(diag.DiagnosticWithPath)
	if !ok {
		return d
	}
	var steps []tftypes.AttributePathStep
	for _, step := range placed.Path().Steps() {
		switch step := step.(type) {
		case path.PathStepAttributeName:
			steps = append(steps, tftypes.AttributeName(step))
		case path.PathStepElementKeyInt:
			steps = append(steps, tftypes.ElementKeyInt(step))
		case path.PathStepElementKeyString:
			steps = append(steps, tftypes.ElementKeyString(step))
		}
	}
	d.Attribute = tftypes.NewAttributePathWithSteps(steps)
	return d
}

// keptParts returns the paths of the parts of an attribute that the prior state has at
// the same depth, in a list at whatever index. Its time is linear.
func keptParts(before, after tftypes.Value) map[string]bool {
	had, kept := map[string]bool{}, map[string]bool{}
	walk(before, func(at *tftypes.AttributePath, part tftypes.Value) { had[placed(at, part)] = true })
	walk(after, func(at *tftypes.AttributePath, part tftypes.Value) { kept[at.String()] = had[placed(at, part)] })
	return kept
}

// placed returns a text that is equal for equal parts at the same depth.
func placed(at *tftypes.AttributePath, part tftypes.Value) string {
	var text strings.Builder
	text.WriteString(part.String())
	for _, step := range at.Steps() {
		if _, isIndex := step.(tftypes.ElementKeyInt); isIndex {
			step = tftypes.ElementKeyInt(0)
		}
		fmt.Fprintf(&text, " %T %[1]v", step)
	}
	return text.String()
}

func walk(value tftypes.Value, do func(*tftypes.AttributePath, tftypes.Value)) {
	_ = tftypes.Walk(value, func(at *tftypes.AttributePath, part tftypes.Value) (bool, error) {
		do(at, part)
		return true, nil
	}) // the function returns no error
}

// isKeptPart reports whether a path in an attribute leads into a part that a plan does
// not change: a member of an object, or an element of a collection. The members of an
// element that changes belong to it.
func isKeptPart(kept map[string]bool, at *tftypes.AttributePath) bool {
	inElement, part := false, tftypes.NewAttributePath()
	return slices.ContainsFunc(at.Steps()[1:], func(step tftypes.AttributePathStep) bool {
		_, ofObject := step.(tftypes.AttributeName)
		inElement = inElement || !ofObject
		part = tftypes.NewAttributePathWithSteps(append(part.Steps(), step))
		return (!ofObject || !inElement) && kept[part.String()]
	})
}

// rootOf returns the name of the top-level attribute of a diagnostic, or "" if
// it has none.
func rootOf(d *tfprotov6.Diagnostic) string {
	if d.Attribute == nil || len(d.Attribute.Steps()) == 0 {
		return ""
	}
	name, _ := d.Attribute.Steps()[0].(tftypes.AttributeName)
	return string(name)
}

// attributesOf returns the attributes of a state by name, or nil if there is no
// state.
func attributesOf(ctx context.Context, r Resource, state *tfprotov6.DynamicValue) (map[string]tftypes.Value, error) {
	if state == nil {
		return nil, nil
	}
	value, err := state.Unmarshal(r.StateType(ctx))
	if err != nil || value.IsNull() || !value.IsKnown() {
		return nil, err
	}
	var attributes map[string]tftypes.Value
	return attributes, value.As(&attributes)
}
