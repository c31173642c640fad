package protocol

// This file keeps a promise: the memory of a plan does not grow with the calls
// that are over.

import (
	"context"
	"sync/atomic"
)

// releasedContext returns a context for one call. It has the values of ctx
// until end is called. It ends when ctx ends or when end is called.
//
// The framework keeps the context of each call for as long as the provider
// runs, with all its values: about 30 KB of buffers and loggers for each
// resource of a plan. Of this context, it keeps only the cancel function.
func releasedContext(ctx context.Context) (call context.Context, end context.CancelFunc) {
	inner, cancel := context.WithCancelCause(context.Background())
	stop := context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })
	if ctx.Err() != nil { // AfterFunc may take a moment
		cancel(context.Cause(ctx))
	}
	c := &callContext{Context: inner}
	c.values.Store(&ctx)
	return c, func() {
		stop()
		cancel(context.Canceled)
		c.values.Store(nil)
	}
}

type callContext struct {
	context.Context
	values atomic.Pointer[context.Context] // nil after end is called
}

// Value returns a value of the call. It searches the inner context first,
// because derived contexts find their parent by a value of it.
func (c *callContext) Value(key any) any {
	if own := c.Context.Value(key); own != nil {
		return own
	}
	if outer := c.values.Load(); outer != nil {
		return (*outer).Value(key)
	}
	return nil
}
