package protocol

// This file keeps a promise: every mistake is found before the apply, and every
// object that the service holds can be managed.

import (
	"bytes"
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// ValidateResourceConfig validates a configuration, unless a plan follows that
// does so: Terraform configures the provider for plans only, and validates each
// object just before it plans it. Most objects do not change, and their
// configuration is what a plan validated before.
func (s *server) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	r, known := s.resources[req.TypeName]
	switch {
	case !known:
		return s.wholeServer.ValidateResourceConfig(ctx, req)
	case s.configuration() != nil:
		return &tfprotov6.ValidateResourceConfigResponse{}, nil
	}
	invalid, err := s.validate(ctx, r, req)
	return &tfprotov6.ValidateResourceConfigResponse{Diagnostics: invalid}, err
}

func (s *server) validate(
	ctx context.Context, r Resource, req *tfprotov6.ValidateResourceConfigRequest,
) ([]*tfprotov6.Diagnostic, error) {
	ctx, end := releasedContext(ctx)
	defer end()
	resp, err := s.wholeServer.ValidateResourceConfig(ctx, req)
	if err != nil {
		return nil, err
	}
	return located(r.StateType(ctx), r.IsSecret, req.Config, resp.Diagnostics), nil
}

// validateInPlan validates the configuration of a plan, also with the limits that the
// API contract does not state.
func (s *server) validateInPlan(
	ctx context.Context, r Resource, req *tfprotov6.PlanResourceChangeRequest,
) ([]*tfprotov6.Diagnostic, error) {
	if req.Config == nil || bytes.Equal(req.Config.MsgPack, null) {
		return nil, nil
	}
	prior, err := attributesOf(ctx, r, req.PriorState)
	if err != nil {
		return nil, err
	}
	return s.validate(attribute.WithPriorState(ctx, prior), r, &tfprotov6.ValidateResourceConfigRequest{
		TypeName: req.TypeName, Config: req.Config,
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
}

func hasError(diags []*tfprotov6.Diagnostic) bool {
	return slices.ContainsFunc(diags, func(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError })
}

// ValidateProviderConfig validates the provider block.
func (s *server) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.wholeServer.ValidateProviderConfig(ctx, req)
	if err == nil {
		resp.Diagnostics = located(s.providerType, s.isSecret, req.Config, resp.Diagnostics)
	}
	return resp, err
}

// ValidateEphemeralResourceConfig also applies the limits that the API contract does not
// state, because no state can have the value already.
func (s *server) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return s.wholeServer.ValidateEphemeralResourceConfig(attribute.WithPriorState(ctx, nil), req)
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
