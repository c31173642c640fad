package acctest

import (
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// A Clock shows the time that a test sets. The service and the provider can go by
// the same one.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that shows the present second.
func NewClock() *Clock { return &Clock{now: time.Now().UTC().Truncate(time.Second)} }

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// RunWithClock is Run with a provider that goes by a clock.
func (w *World) RunWithClock(t *testing.T, clock *Clock, steps ...resource.TestStep) {
	t.Helper()
	checkName(t)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: Providers(provider.WithClock(clock.Now)), Steps: steps})
}
