package protocol

// This file keeps a promise: a state costs no more than Terraform's own work,
// however large the object is.

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	casejson "sigs.k8s.io/json"

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
		twice, err := casejson.UnmarshalStrict(req.RawState.JSON, &state, casejson.DisallowDuplicateFields)
		if attributes, ok := state.(map[string]any); ok && err == nil && len(twice) == 0 && r.RenewState(attributes) {
			stored, _ := json.Marshal(attributes) //nolint:errchkjson // decoded JSON
			req = &tfprotov6.UpgradeResourceStateRequest{TypeName: req.TypeName, Version: req.Version, RawState: &tfprotov6.RawState{JSON: stored}}
		}
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
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return t.Is(tftypes.String)
	case bool:
		return t.Is(tftypes.Bool)
	case float64, int64:
		return t.Is(tftypes.Number)
	case []any:
		list, isList := t.(tftypes.List)
		return isList && !slices.ContainsFunc(v, func(one any) bool { return !isOf(list.ElementType, one) })
	case map[string]any:
		of, isMap := t.(tftypes.Map)
		object, isObject := t.(tftypes.Object)
		for name, one := range v {
			element := of.ElementType
			if isObject {
				element = object.AttributeTypes[name]
			}
			if element == nil || !isOf(element, one) {
				return false
			}
		}
		return isMap || isObject && len(v) == len(object.AttributeTypes)
	}
	return false
}
