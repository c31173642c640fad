package crud

import (
	"sync"
	"sync/atomic"
	"testing"
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
