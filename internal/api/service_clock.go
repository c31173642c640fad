package api

import (
	"net/http"
	"sync"
	"time"
)

// A serviceClock tells the time by the service's clock, as far as the Date of
// its latest answer lets one know it.
type serviceClock struct {
	mu    sync.Mutex
	shown time.Time // what the service's clock showed, in whole seconds; zero while nothing is known
	at    time.Time // when the answer that said so came, by the local clock
}

// note reads an answer's Date.
func (c *serviceClock) note(header http.Header, received time.Time) {
	shown, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shown, c.at = shown, received
}

// notBefore returns a time, in whole seconds, that the service's clock had
// reached at a local one; false where nothing is known of it. Date has a grain
// of a second and takes a while to arrive, so that the clock may have been a
// little further, and never less far.
func (c *serviceClock) notBefore(local time.Time) (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shown.IsZero() {
		return time.Time{}, false
	}
	return c.shown.Add(local.Sub(c.at)).Truncate(time.Second), true
}
