package crud

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

func TestRun_oneCreationOfAnObject(t *testing.T) {
	t.Parallel()
	var c run
	var owners atomic.Int32
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if c.claim("tls_edge_policy a") {
				owners.Add(1)
			}
		})
	}
	all.Wait()
	if owners.Load() != 1 || !c.claim("tls_edge_policy b") {
		t.Errorf("%d resources create the same object", owners.Load())
	}
	c.release("tls_edge_policy a")
	if !c.claim("tls_edge_policy a") {
		t.Error("no other resource can create the object after a creation that failed")
	}
}

// A creation waits for the deletion of the object that is in its way, and only for that.
func TestRun_awaitDeletion(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind, id string
		ok       bool // the deletion succeeds
		waits    bool
		deleted  bool
	}{
		"the object":              {"bot_user", "a", true, true, true},
		"any object of the kind":  {"bot_user", "", true, true, true},
		"a deletion that fails":   {"bot_user", "a", false, true, false},
		"another object":          {"bot_user", "b", true, false, false},
		"the same ID of a kind":   {"tls_edge", "a", true, false, false},
		"objects of another kind": {"tls_edge", "", true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var c run
				c.claim("bot_user a")
				done, result := c.deleting("bot_user", "a"), make(chan bool, 1)
				go func() { result <- c.awaitDeletion(t.Context(), test.kind, test.id) }()
				synctest.Wait()
				if waits := len(result) == 0; waits != test.waits {
					t.Errorf("waits: %t, want %t", waits, test.waits)
				}
				done(test.ok)
				if deleted := <-result; deleted != test.deleted {
					t.Errorf("deleted: %t, want %t", deleted, test.deleted)
				}
				if free := c.claim("bot_user a"); free != test.ok {
					t.Errorf("after the deletion, another one can create the object: %t", free)
				}
			})
		})
	}
}

func TestRun_awaitDeletionEnds(t *testing.T) {
	t.Parallel()
	var c run
	c.deleting("bot_user", "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c.awaitDeletion(ctx, "bot_user", "a") {
		t.Error("a deletion that is under way counts as done")
	}
}
