package crud

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// loseAll loses an object of each parent at once. It returns the results, and when the
// last one came.
func loseAll(t *testing.T, a *account, parents ...string) (results []*strangeAccount, after time.Duration) {
	t.Helper()
	begun := time.Now()
	results = make([]*strangeAccount, len(parents))
	var all sync.WaitGroup
	for i, parent := range parents {
		a.look()(false)
		all.Go(func() { results[i] = a.lose(t.Context(), fmt.Sprint("object ", i), parent, false) })
	}
	all.Wait()
	return results, time.Since(begun)
}

func TestAccount_isTheRightOne(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		gone           []string // their parents
		found, skipped bool
		wrong          bool
		after          time.Duration
	}{
		"one is gone":                          {gone: []string{"a"}, after: longPause},
		"two are gone":                         {gone: []string{"a", "b"}, after: longPause},
		"three are gone":                       {gone: []string{"a", "b", "c"}, wrong: true, after: shortPause},
		"three are gone, and the user says so": {gone: []string{"a", "b", "c"}, skipped: true},
		"three are gone, and one exists":       {gone: []string{"a", "b", "c"}, found: true},
		"two are gone, and what is in them":    {gone: []string{"a", "a", "b", "a", "b"}, after: longPause},
		"three are gone, and what is in them":  {gone: []string{"a", "a", "b", "c", "c"}, wrong: true, after: shortPause},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := &account{skipped: test.skipped}
				if test.found {
					a.look()(true)
				}
				results, after := loseAll(t, a, test.gone...)
				first := 0
				for i, strange := range results {
					if (strange != nil) != test.wrong || strange != nil && len(strange.gone) != len(test.gone) {
						t.Errorf("result %d: %+v", i, strange)
					}
					if strange != nil && strange.first {
						first++
					}
				}
				if test.wrong != (first == 1) || after != test.after {
					t.Errorf("%d results are the first, and the last one came after %s, want %s", first, after, test.after)
				}
			})
		})
	}
}

// A canceled operation does not wait, and what it would forget is an error.
func TestAccount_cancel(t *testing.T) {
	t.Parallel()
	a := &account{}
	a.look() // never ends
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for i := range 4 {
		name := fmt.Sprint("object ", i)
		if strange := a.lose(ctx, name, name, false); (strange != nil) != (i >= 2) {
			t.Errorf("loss %d: %+v", i, strange)
		}
	}
}

// With -parallelism=1, an object leaves the state before the next one is looked for. The
// error names what is missing there.
func TestAccount_namesWhatHasLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := &account{}
		for _, parent := range []string{"a", "a", "b"} {
			if results, _ := loseAll(t, a, parent); results[0] != nil {
				t.Errorf("got %+v", results[0])
			}
		}
		results, _ := loseAll(t, a, "c")
		if results[0] == nil || len(results[0].left) != 3 || len(results[0].gone) != 4 {
			t.Errorf("got %+v", results[0])
		}
	})
}

// A run reads the objects of a state, as Terraform does: up to some at once, each child
// after its parent, and with a short time between two reads.
type schedule struct {
	*account
	reads bool // not deletions
	slots chan bool

	mu     sync.Mutex
	finds  int      // reads under way that will find their object
	left   []string // parents of the objects that have left the state
	errors int
	hasty  bool          // an error although a read under way finds an object
	waited time.Duration // the longest, after the last read has ended
}

func (r *schedule) read(ctx context.Context, random *rand.Rand, parent int, exists bool) {
	idle, lasts := time.Duration(random.Int64N(int64(shortPause))), time.Duration(random.ExpFloat64()*float64(shortPause))
	r.slots <- true
	defer func() { <-r.slots }()
	time.Sleep(idle)
	end := r.look()
	r.count(exists, 1)
	time.Sleep(lasts)
	r.count(exists, -1)
	end(exists)
	if exists {
		return
	}
	name := fmt.Sprint(parent)
	strange := r.lose(ctx, name, name, r.reads)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.account.mu.Lock()
	defer r.account.mu.Unlock()
	if strange != nil {
		r.errors++
		r.hasty = r.hasty || r.finds > 0 && strange.first || r.found
	} else if !slices.Contains(r.left, name) {
		r.left = append(r.left, name)
	}
	if r.underWay == 0 {
		r.waited = max(r.waited, time.Since(r.ended))
	}
}

func (r *schedule) count(exists bool, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if exists {
		r.finds += n
	}
}

// Whatever the schedule is, at most two parents leave the state if none exists, and there
// is no error if an operation that is under way finds an object.
func TestAccount_anySchedule(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a test
			existing := []float64{0, 0.1, 0.5}[random.IntN(3)]
			r := &schedule{account: &account{}, reads: seed%2 == 0, slots: make(chan bool, 1+random.IntN(10))}
			exist, all := 0, sync.WaitGroup{}
			parents := 1 + random.IntN(20)
			for parent := range parents {
				own := rand.New(rand.NewPCG(seed, uint64(parent)+1)) //nolint:gosec // a test
				exists, children := random.Float64() < existing, random.IntN(4)
				if exists {
					exist++
				}
				all.Go(func() {
					r.read(t.Context(), own, parent, exists)
					for range children {
						r.read(t.Context(), own, parent, exists)
					}
				})
			}
			all.Wait()
			switch {
			case r.hasty:
				t.Errorf("seed %d: an error although an object is found", seed)
			case exist == 0 && (!r.reads && len(r.left) > 2 || (r.errors == 0) != (parents < minGone) || r.reads && r.errors > 1):
				t.Errorf("seed %d: %d of %d parents left the state, %d errors", seed, len(r.left), parents, r.errors)
			case r.waited > longPause+poll:
				t.Errorf("seed %d: the last operation has waited for %s", seed, r.waited)
			}
		})
	}
}
