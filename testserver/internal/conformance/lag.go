package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Reads can show a write only later, for example from a replica. That is one result, and
// the other rules are judged after a wait, or not tried if the lag is long.

var (
	// shortWaits are the times after which a read is repeated that does not show a write.
	shortWaits = slices.Repeat([]time.Duration{250 * time.Millisecond}, 4)
	// longWaits are those for the first object and the first list of a run.
	longWaits = append(slices.Clone(shortWaits), slices.Repeat([]time.Duration{time.Second}, 7)...)
)

const (
	// longLag is the lag from which on rules that need a read after a write are not
	// tried: a run with thousands of waits would take hours.
	longLag = 1200 * time.Millisecond
	// sure is how often a read that agrees after a wait is repeated, to tell a lag from
	// responses that vary.
	sure = 10
	// maxLags is how many reads that differ are repeated before one agrees. Without a
	// limit, a service that stores nothing would take hours.
	maxLags = 2
)

// soon checks something after a write. If a later check succeeds, the reads lag.
func (run *Run) soon(v testCase, check func() (*difference, error)) (*difference, error) {
	return run.later(v, shortWaits, check)
}

func (run *Run) later(v testCase, waits []time.Duration, check func() (*difference, error)) (*difference, error) {
	start := time.Now()
	d, err := check()
	switch {
	case err != nil || d == nil:
		return d, err
	case run.lag > longLag:
		return nil, fmt.Errorf("reads show a write only after %s", run.lag)
	case run.lag == 0 && run.waits >= maxLags:
		return d, nil
	}
	run.waits++
	waited := time.Duration(0)
	for _, wait := range waits {
		if limit := run.config.MaxLag; limit > 0 {
			if wait = min(wait, limit); waited >= limit {
				break
			}
		}
		run.wait(wait)
		waited += wait
		again, err := check()
		if err != nil {
			return d, err
		}
		if again != nil {
			continue
		}
		lag := time.Since(start) // with the time of the reads: what is less can be too short later
		for range sure {
			if again, err := check(); again != nil || err != nil { // the responses vary
				return d, err
			}
		}
		run.lags(v, d.found, lag)
		return nil, nil
	}
	return d, nil
}

// lags notes that a read showed a write only later.
func (run *Run) lags(v testCase, found string, after time.Duration) {
	after = after.Truncate(100*time.Millisecond) + 100*time.Millisecond
	run.lag = max(run.lag, after)
	found = fmt.Sprintf("%s, and the write only after %s", found, after)
	run.general(ruleConsistency, otherwise("reads that show what was written at once", found), v)
}

// settle waits until reads show what was written, if they lag.
func (run *Run) settle() { run.wait(run.lag) }

func (run *Run) wait(d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-time.After(d):
	case <-run.ctx.Done():
	}
}

// visible waits until a new object can be read, if it is the first one or reads lag.
func (run *Run) visible(route, path string) error {
	item := run.itemOf(route)
	if operations := run.config.Document.Paths.Value(item); operations == nil || operations.Get == nil || run.lag == 0 && run.looked {
		return nil
	}
	run.looked = true
	v := testCase{method: http.MethodGet, route: item, path: path}
	start, first := time.Now(), 0
	for _, wait := range longWaits {
		got, err := run.exchange(v)
		switch {
		case err != nil:
			return err
		case got.status == http.StatusOK && first != 0:
			run.lags(v, fmt.Sprintf("status %d at once", first), time.Since(start))
			return nil
		case got.status != http.StatusNotFound:
			return nil
		}
		first = got.status
		run.wait(wait)
	}
	return nil
}
