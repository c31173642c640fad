package protocol

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
	"weak"
)

type key struct{}

var errCallersReason = errors.New("the caller's reason")

func TestReleased_endsWithTheCall(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(cancelCall context.CancelCauseFunc, end context.CancelFunc) error{
		"canceled": func(cancelCall context.CancelCauseFunc, _ context.CancelFunc) error {
			cancelCall(errCallersReason)
			return errCallersReason
		},
		"answered": func(_ context.CancelCauseFunc, end context.CancelFunc) error {
			end()
			return context.Canceled
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			call, cancelCall := context.WithCancelCause(t.Context())
			ctx, endCall := releasedContext(call)
			defer endCall()
			child, stop := context.WithCancel(ctx)
			defer stop()
			if child.Err() != nil {
				t.Fatal(child.Err())
			}
			cause := end(cancelCall, endCall)
			select {
			case <-child.Done():
			case <-time.After(time.Minute):
				t.Fatal("a derived context does not end")
			}
			if !errors.Is(context.Cause(child), cause) {
				t.Errorf("the cause is %v, want %v", context.Cause(child), cause)
			}
		})
	}
}

// TestReleased_endedBefore checks that nothing begins in a context whose time is
// over.
func TestReleased_endedBefore(t *testing.T) {
	t.Parallel()
	for range 1000 {
		over, cancel := context.WithCancelCause(t.Context())
		cancel(errCallersReason)
		ctx, end := releasedContext(over)
		if !errors.Is(context.Cause(ctx), errCallersReason) {
			t.Fatal("the context has not ended")
		}
		end()
	}
}

// A derived context must find its parent. Otherwise it needs a goroutine.
func TestReleased_derivedContextsNeedNoGoroutine(t *testing.T) { //nolint:paralleltest // it counts goroutines
	ctx, end := releasedContext(t.Context())
	defer end()
	before := runtime.NumGoroutine()
	for range 100 {
		_, cancel := context.WithCancel(ctx)
		defer cancel()
	}
	if more := runtime.NumGoroutine() - before; more > 50 {
		t.Errorf("%d goroutines for 100 contexts", more)
	}
}

func TestReleased_letsGoOfTheCall(t *testing.T) {
	t.Parallel()
	var freed weak.Pointer[[1 << 20]byte]
	kept := func() context.CancelFunc { // the only value that the framework keeps
		heavy := new([1 << 20]byte)
		freed = weak.Make(heavy)
		call, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, heavy))
		ctx, end := releasedContext(call)
		_, keep := context.WithCancel(ctx)
		end()
		cancel() // as gRPC does when a call is over
		return keep
	}()
	runtime.GC()
	if freed.Value() != nil {
		t.Error("the values of the call are still held")
	}
	runtime.KeepAlive(kept)
}
