package provider

import "context"

// passing returns a context that ends when ctx does, or when end is called, and
// has no values.
//
// The framework keeps a cancel function of each RPC for as long as the provider
// runs, and with it the context that Terraform's call came in: some 30 KB of
// buffers and loggers for each resource of a plan. This one is all that is kept.
// And where there is no logger, no message is made only to be dropped.
func passing(ctx context.Context) (passed context.Context, end context.CancelFunc) {
	passed, cancel := context.WithCancelCause(context.Background())
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	return passed, func() {
		stop()
		cancel(context.Canceled)
	}
}
