package provider

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
)

type key struct{}

var errCallersReason = errors.New("the caller's reason")

func TestPassingContextEndsWithTheCall(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(cancelCall context.CancelCauseFunc, end context.CancelFunc) error{
		"cancelled": func(cancelCall context.CancelCauseFunc, _ context.CancelFunc) error {
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
			passed, endPassed := passing(call)
			defer endPassed()
			child, stop := context.WithCancel(passed)
			defer stop()
			if child.Err() != nil {
				t.Fatal(child.Err())
			}
			cause := end(cancelCall, endPassed)
			select {
			case <-child.Done():
			case <-time.After(5 * time.Second):
				t.Fatal("the end does not reach what was derived")
			}
			if !errors.Is(context.Cause(child), cause) {
				t.Errorf("the cause is %v, expected %v", context.Cause(child), cause)
			}
		})
	}
}

func TestPassingContextLetsGoOfTheCaller(t *testing.T) {
	t.Parallel()
	freed := make(chan struct{})
	kept := func() context.CancelFunc { // all that the framework keeps
		heavy := new([1 << 20]byte)
		runtime.AddCleanup(heavy, func(int) { close(freed) }, 0)
		call, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, heavy))
		passed, end := passing(call)
		_, keep := context.WithCancel(passed)
		end()
		cancel() // as gRPC does when a call is over
		return keep
	}()
	for range 50 {
		runtime.GC()
		select {
		case <-freed:
			runtime.KeepAlive(kept)
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
	t.Error("what the caller's context holds is still held")
}
