package crud

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// loss is the result of a read or deletion of an object that is gone.
type loss struct {
	strange *strangeAccount
	after   time.Duration
}

// loseAll loses objects at once, and returns the results in the order in which they come.
func loseAll(t *testing.T, a *account, created ...time.Time) []loss {
	t.Helper()
	begun, results := time.Now(), make(chan loss, len(created))
	for i, at := range created {
		e := a.begin()
		go func() {
			defer e.end()
			strange := e.lose(t.Context(), sighting{name: fmt.Sprint("object ", i), created: at})
			results <- loss{strange, time.Since(begun)}
		}()
	}
	all := make([]loss, len(created))
	for i := range all {
		all[i] = <-results
	}
	return all
}

func TestAccount_isTheRightOne(t *testing.T) {
	t.Parallel()
	at := func(minutes float64) time.Time {
		return time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(minutes * float64(time.Minute)))
	}
	unknown := time.Time{}
	for name, test := range map[string]struct {
		found, gone []time.Time
		skipped     bool
		wrong       bool          // three or more are gone, and nothing shows that the account is right
		after       time.Duration // until the last object leaves the state or is an error
	}{
		"one is gone":                                     {nil, []time.Time{at(0)}, false, false, longPause},
		"two are gone":                                    {nil, []time.Time{at(0), at(0)}, false, false, longPause},
		"three are gone":                                  {nil, []time.Time{at(0), at(0), at(0)}, false, true, shortPause},
		"three are gone, and the user says so":            {nil, []time.Time{at(0), at(0), at(0)}, true, false, 0},
		"an older one exists":                             {[]time.Time{at(-1)}, []time.Time{at(0), at(0), at(0)}, false, false, 0},
		"one of the same run exists":                      {[]time.Time{at(1)}, []time.Time{at(0), at(0), at(0)}, false, false, 0},
		"one of a later run exists":                       {[]time.Time{at(1.1)}, []time.Time{at(0), at(0), at(0)}, false, true, shortPause},
		"one exists that is older than the youngest gone": {[]time.Time{at(5)}, []time.Time{at(0), at(9), at(0)}, false, false, 0},
		"the oldest one that exists counts":               {[]time.Time{at(9), at(0), at(9)}, []time.Time{at(0), at(0), at(0)}, false, false, 0},
		"fewer of a later run exist":                      {[]time.Time{at(9), at(9)}, []time.Time{at(0), at(0), at(0)}, false, true, shortPause},
		"as many of a later run exist":                    {[]time.Time{at(9), at(9), at(9)}, []time.Time{at(0), at(0), at(0)}, false, false, shortPause},
		"one of unknown age exists":                       {[]time.Time{unknown}, []time.Time{at(0), at(0), at(0)}, false, true, shortPause},
		"the age of the gone ones is unknown":             {[]time.Time{at(9)}, []time.Time{unknown, unknown, unknown}, false, false, shortPause},
		"the ages are unknown, and none exists":           {nil, []time.Time{unknown, unknown, unknown}, false, true, shortPause},
		"the age of one that exists is unknown":           {[]time.Time{at(0), unknown}, []time.Time{at(0), at(0), at(0)}, false, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := &account{skipped: test.skipped}
				for _, created := range test.found {
					e := a.begin()
					e.find(sighting{created: created})
					e.end()
				}
				first := 0
				for i, result := range loseAll(t, a, test.gone...) {
					if (result.strange != nil) != test.wrong {
						t.Errorf("result %d: the account seems to be a wrong one: %t, want %t", i, result.strange != nil, test.wrong)
					} else if test.wrong {
						if result.strange.first {
							first++
						}
						if len(result.strange.gone) != len(test.gone) || result.strange.found != len(test.found) {
							t.Errorf("result %d: %d gone and %d found", i, len(result.strange.gone), result.strange.found)
						}
					}
					if result.after != test.after {
						t.Errorf("result %d came after %s, want %s", i, result.after, test.after)
					}
				}
				if test.wrong && first != 1 {
					t.Errorf("%d of the results are the first one", first)
				}
			})
		})
	}
}

// An operation that is under way may still find an object.
func TestAccount_waitsForOtherOperations(t *testing.T) {
	t.Parallel()
	for name, finds := range map[string]bool{"finds its object": true, "ends without a result": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a, old := &account{}, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
				slow := a.begin()
				var other sync.WaitGroup
				defer other.Wait()
				other.Go(func() {
					time.Sleep(time.Hour)
					if finds { // an update may read the object again after that
						slow.find(sighting{created: old})
						time.Sleep(time.Hour)
					}
					slow.end()
				})
				want := loss{nil, time.Hour}
				if !finds {
					want.after += shortPause
				}
				for _, result := range loseAll(t, a, old, old, old) {
					if result.after != want.after || (result.strange == nil) != finds {
						t.Errorf("got an error: %t, after %s", result.strange != nil, result.after)
					}
				}
			})
		})
	}
}

// A canceled operation does not wait, and what it would forget is an error.
func TestAccount_cancel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := &account{}
		a.begin() // never ends
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for i := range 4 {
			strange := a.begin().lose(ctx, sighting{name: fmt.Sprint("object ", i)})
			if (strange != nil) != (i >= 2) {
				t.Errorf("loss %d: the account seems to be a wrong one: %t", i, strange != nil)
			}
		}
	})
}

// With -parallelism=1, an object leaves the state before the next one is looked for. The
// error names what is missing there.
func TestAccount_namesWhatHasLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := &account{}
		for i := range 3 {
			result := loseAll(t, a, time.Time{})[0]
			if result.strange == nil {
				a.leave(fmt.Sprint("object ", i))
			} else if !slices.Equal(result.strange.left, []string{"object 0", "object 1"}) || len(result.strange.gone) != 3 {
				t.Errorf("got %+v", result.strange)
			}
			if wrong := i == 2; wrong != (result.strange != nil) {
				t.Errorf("loss %d: an error: %t", i, result.strange != nil)
			}
		}
	})
}
