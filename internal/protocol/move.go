package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// MoveResourceState moves an object from another provider, without its private data,
// whose form only that provider knows. Nothing here uses it, and the framework requires
// its own form.
func (s *server) MoveResourceState(
	ctx context.Context, req *tfprotov6.MoveResourceStateRequest,
) (*tfprotov6.MoveResourceStateResponse, error) {
	moved := *req
	moved.SourcePrivate = nil
	return s.wholeServer.MoveResourceState(ctx, &moved)
}
