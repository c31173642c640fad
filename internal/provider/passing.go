package provider

import (
	"context"
	"sync"
	"time"
)

// A passing context is the context of one RPC, which nothing holds on to after
// the RPC.
//
// The framework keeps a cancel function of each RPC for as long as the provider
// runs, and with it the context that Terraform's call came in: some 30 KB of
// buffers and loggers for each resource of a plan.
type passing struct {
	mu    sync.Mutex
	inner context.Context //nolint:containedctx // to let go of it is what this is for
}

// over is what a passing context is after its RPC.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// pass returns a context that is ctx until end is called.
func pass(ctx context.Context) (passed context.Context, end func()) {
	p := &passing{inner: ctx}
	return p, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.inner = over
	}
}

func (p *passing) now() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inner
}

func (p *passing) Deadline() (time.Time, bool) { return p.now().Deadline() }
func (p *passing) Done() <-chan struct{}       { return p.now().Done() }
func (p *passing) Err() error                  { return p.now().Err() }
func (p *passing) Value(key any) any           { return p.now().Value(key) }

// AfterFunc lets package context follow this context without a goroutine.
func (p *passing) AfterFunc(f func()) (stop func() bool) { return context.AfterFunc(p.now(), f) }
