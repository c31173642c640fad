package engine

import (
	"fmt"
	"time"
)

// reading is the time of a clock at one moment of API.Clock.
type reading struct {
	now    time.Time
	at     time.Time // of API.Clock
	frozen bool
}

// latest is the first time to which a clock cannot be set. Ids contain nanoseconds
// since 1970 in 63 bits.
var latest = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)

// Now returns the time of the server, in UTC. It is that of API.Clock until SetClock is
// called. created_at, Date and default validity periods follow it. Rate limits, lags and
// durations follow API.Clock, because clients wait for them in real time.
func (api *API) Now() time.Time {
	set := api.clock.Load()
	switch {
	case set == nil:
		return api.Clock().UTC()
	case set.frozen:
		return set.now
	default:
		return set.now.Add(api.Clock().Sub(set.at)).UTC()
	}
}

// Frozen reports whether the time of the server stands still.
func (api *API) Frozen() bool {
	set := api.clock.Load()
	return set != nil && set.frozen
}

// SetClock moves the time of the server forward: to now, or if now is zero by advance. If
// frozen, it stands still from then on; if frozen is nil, it stands still or runs as
// before. It returns an error if the new time is in the past or in the year 2200 or
// later.
func (api *API) SetClock(now time.Time, advance time.Duration, frozen *bool) error {
	api.clockMutex.Lock()
	defer api.clockMutex.Unlock()
	current, stands := api.Now(), api.Frozen()
	if now.IsZero() {
		now = current.Add(advance)
	}
	if frozen != nil {
		stands = *frozen
	}
	switch {
	case now.Before(current):
		return fmt.Errorf("the clock cannot go backwards: expected %s or later, found %s",
			current.Format(time.RFC3339Nano), now.UTC().Format(time.RFC3339Nano))
	case !now.Before(latest):
		return fmt.Errorf("expected a time before the year %d, found %s", latest.Year(), now.UTC().Format(time.RFC3339Nano))
	}
	api.clock.Store(&reading{now.UTC(), api.Clock(), stands})
	return nil
}

// ResetClock sets the time of the server to that of API.Clock.
func (api *API) ResetClock() {
	api.clockMutex.Lock()
	defer api.clockMutex.Unlock()
	api.clock.Store(nil)
}
