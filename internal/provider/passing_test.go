package provider

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
)

type key struct{}

func TestPassingContextIsTheCallersUntilItEnds(t *testing.T) {
	t.Parallel()
	outer, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
	passed, end := pass(outer)
	child, stop := context.WithCancel(passed)
	defer stop()
	if passed.Value(key{}) != "value" || child.Err() != nil {
		t.Errorf("value %v, error %v", passed.Value(key{}), child.Err())
	}
	cancel()
	select {
	case <-child.Done():
	case <-time.After(5 * time.Second):
		t.Error("the caller's cancel does not reach what was derived")
	}
	end()
	if !errors.Is(passed.Err(), context.Canceled) || passed.Value(key{}) != nil {
		t.Errorf("after the end: error %v, value %v", passed.Err(), passed.Value(key{}))
	}
}

func TestPassingContextLetsGoOfTheCaller(t *testing.T) {
	t.Parallel()
	freed := make(chan struct{})
	kept := func() context.CancelFunc { // all that the framework keeps
		heavy := new([1 << 20]byte)
		runtime.AddCleanup(heavy, func(int) { close(freed) }, 0)
		outer, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, heavy))
		passed, end := pass(outer)
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
