package api

import (
	"sync"
	"time"
)

// claims are the objects that a client has made: which one belongs to which
// creation, and since when.
type claims struct {
	mu sync.Mutex
	at map[string]time.Time // by address
}

func newClaims() *claims { return &claims{at: map[string]time.Time{}} }

// claim takes an object for one creation; false where another one has it.
func (c *claims) claim(address string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.at[address]; taken {
		return false
	}
	c.at[address] = time.Now()
	return true
}

// since returns when an object was claimed, the zero time where it was not.
func (c *claims) since(address string) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at[address]
}

// release forgets an object that is gone: another may be made at its address.
func (c *claims) release(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.at, address)
}
