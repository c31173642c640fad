package protocol

// This file keeps a promise: a state costs no more than Terraform's own work,
// however large the object is.

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// UpgradeResourceState returns a stored state of the current schema as it is.
// Terraform calls it for each object of each command. For all other states, such
// as one that a newer version of the provider wrote, it calls the framework, with
// a context that is released after the call.
func (s *server) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	if r, known := s.resources[req.TypeName]; known && req.RawState != nil && req.Version == r.StateVersion() {
		var state any
		if json.Unmarshal(req.RawState.JSON, &state) == nil && state != nil && isOf(r.StateType(ctx), state) {
			return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
		}
	}
	ctx, end := releasedContext(ctx)
	defer end()
	return s.wholeServer.UpgradeResourceState(ctx, req)
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
	case float64:
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
