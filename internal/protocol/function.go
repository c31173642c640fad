package protocol

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// CallFunction calls a function. OpenTofu sends an argument that is null without a value.
func (s *server) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	arguments := slices.Clone(req.Arguments)
	for i, argument := range arguments {
		if argument != nil && argument.MsgPack == nil && argument.JSON == nil {
			arguments[i] = &tfprotov6.DynamicValue{MsgPack: null}
		}
	}
	return s.wholeServer.CallFunction(ctx, &tfprotov6.CallFunctionRequest{Name: req.Name, Arguments: arguments})
}
