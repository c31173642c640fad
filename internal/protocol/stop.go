package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// stop keeps a promise: an interrupted apply ends at once. The framework cancels
// the calls that run when Terraform stops the provider, but Terraform can make one
// more call just after that, which would wait for a limit of the service for
// minutes. A stop also cancels the calls that begin later.
type stop struct {
	ctx    context.Context
	cancel context.CancelFunc
}

func newStop() *stop {
	ctx, cancel := context.WithCancel(context.Background())
	return &stop{ctx, cancel}
}

// bind returns a context that ends when ctx ends or the provider is stopped.
func (s *stop) bind(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	release := context.AfterFunc(s.ctx, cancel)
	return ctx, func() {
		release()
		cancel()
	}
}

// StopProvider ends all calls until the provider is configured again.
func (s *server) StopProvider(ctx context.Context, req *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	s.stop.Load().cancel()
	return s.wholeServer.StopProvider(ctx, req)
}

// ConfigureProvider begins a new run.
func (s *server) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	s.stop.Store(newStop())
	return s.wholeServer.ConfigureProvider(ctx, req)
}
