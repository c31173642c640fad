package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// GenerateResourceConfig generates the configuration of an imported object. It
// omits the values that the service would choose anyway. Terraform calls it
// since 1.14.
func (s *server) GenerateResourceConfig(
	ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest,
) (*tfprotov6.GenerateResourceConfigResponse, error) {
	r, known := s.resources[req.TypeName]
	if !known || req.State == nil {
		return s.wholeServer.GenerateResourceConfig(ctx, req)
	}
	of := r.StateType(ctx)
	state, err := req.State.Unmarshal(of)
	if err != nil {
		return nil, err
	}
	if state, err = r.Generated(ctx, state); err != nil {
		return nil, err
	}
	chosen, err := tfprotov6.NewDynamicValue(of, state)
	if err != nil {
		return nil, err
	}
	return s.wholeServer.GenerateResourceConfig(ctx, &tfprotov6.GenerateResourceConfigRequest{TypeName: req.TypeName, State: &chosen})
}
