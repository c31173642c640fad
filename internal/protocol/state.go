package protocol

// This file keeps a promise: a state costs no more than Terraform's own work,
// however large the object is.

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"sigs.k8s.io/json"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// UpgradeResourceState returns a stored state of the current schema as it is.
// Terraform calls it for each object of each command. For all other states, such
// as one that a newer version of the provider wrote, it calls the framework, with
// a context that is released after the call.
func (s *server) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	r, known := s.resources[req.TypeName]
	current := known && req.RawState != nil && req.Version == r.StateVersion()
	var state any
	if current {
		// Terraform decodes each of the values of a field that is there twice.
		twice, err := json.UnmarshalStrict(req.RawState.JSON, &state, json.DisallowDuplicateFields)
		if err == nil && len(twice) == 0 && state != nil && isOf(r.StateType(ctx), state) {
			return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
		}
	}
	ctx, end := releasedContext(ctx)
	defer end()
	resp, err := s.wholeServer.UpgradeResourceState(ctx, req)
	if current && resp != nil && hasError(resp.Diagnostics) {
		resp.Diagnostics = []*tfprotov6.Diagnostic{invalidState(req.TypeName, state, resp.Diagnostics[0])}
	}
	return resp, err
}

// attributeStep matches the first attribute in an error of the framework.
var attributeStep = regexp.MustCompile(`AttributeName\("([a-z0-9_]+)"\)`)

// invalidState returns the error for a state that does not have the form of the
// schema. The framework's error repeats the value, which may be a secret.
func invalidState(kind string, state any, cause *tfprotov6.Diagnostic) *tfprotov6.Diagnostic {
	which, where := "", "is not an object"
	if attributes, ok := state.(map[string]any); ok {
		if id, ok := attributes["id"].(string); ok {
			which = " (id " + quote.Value(id) + ")"
		}
	}
	wrong := &tfprotov6.Diagnostic{Severity: tfprotov6.DiagnosticSeverityError, Summary: "Invalid state of a " + kind}
	if step := attributeStep.FindStringSubmatch(cause.Detail); step != nil {
		where = "has a value of a wrong type in the attribute " + step[1]
		wrong.Attribute = tftypes.NewAttributePath().WithAttributeName(step[1])
	}
	wrong.Detail = "The state of a " + kind + which + " " + where + ". Usually somebody has edited the state. " +
		"Restore an earlier version of the state, or remove the object from it with terraform state rm and import the object again."
	return wrong
}

// isOf reports whether a decoded JSON value is of a type, with exactly its
// attributes.
func isOf(t tftypes.Type, value any) bool {
	if value == nil {
		return true
	}
	switch v := value.(type) {
	case string:
		return t.Is(tftypes.String)
	case bool:
		return t.Is(tftypes.Bool)
	case float64, int64:
		return t.Is(tftypes.Number)
	case []any:
		var element tftypes.Type
		switch t := t.(type) {
		case tftypes.List:
			element = t.ElementType
		case tftypes.Set:
			element = t.ElementType
		default:
			return false
		}
		for _, one := range v {
			if !isOf(element, one) {
				return false
			}
		}
		return true
	case map[string]any:
		if t, ok := t.(tftypes.Map); ok {
			for _, one := range v {
				if !isOf(t.ElementType, one) {
					return false
				}
			}
			return true
		}
		object, ok := t.(tftypes.Object)
		if !ok || len(v) != len(object.AttributeTypes) {
			return false
		}
		for name, one := range v {
			if of, known := object.AttributeTypes[name]; !known || !isOf(of, one) {
				return false
			}
		}
		return true
	}
	return false
}
