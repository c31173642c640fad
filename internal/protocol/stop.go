package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// This file keeps a promise: an interrupted apply ends within seconds. The framework
// cancels the calls that run when Terraform stops the provider, but Terraform can
// make one more call just after that, which would wait for a limit of the service
// for minutes.

// StopProvider also cancels the applies that begin later.
func (s *server) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	s.stopped.Store(true)
	return s.wholeServer.StopProvider(ctx, req)
}

// ConfigureProvider begins a new run.
func (s *server) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	s.stopped.Store(false)
	resp, err := s.wholeServer.ConfigureProvider(ctx, req)
	if resp != nil {
		resp.Diagnostics = located(s.providerType, s.isSecret, req.Config, resp.Diagnostics)
	}
	return resp, err
}
