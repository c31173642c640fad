package traffic

import (
	"slices"
	"sync"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// Recording is the objects of a store from one time to another.
type Recording struct {
	mutex sync.Mutex
	began time.Time
	steps []step // the first one has all objects
}

type step struct {
	at      time.Duration
	changes []store.Change
}

// Record records a store until stop is called.
func Record(objects *store.Store) (r *Recording, stop func()) {
	r = &Recording{began: time.Now()}
	unwatch := objects.Watch(func(changes []store.Change) {
		r.mutex.Lock()
		defer r.mutex.Unlock()
		r.steps = append(r.steps, step{time.Since(r.began), changes})
	})
	return r, func() {
		unwatch()
		r.steps = append(r.steps, step{at: time.Since(r.began)})
	}
}

// Class says what clients notice of an apply.
type Class string

// The classes, from the worst to the best.
const (
	Opened      Class = "opened"      // it reaches a backend that it reaches neither before nor after
	Interrupted Class = "interrupted" // it is served before and after, and not, or differently, in between
	Changed     Class = "changed"
	Unchanged   Class = "unchanged"
)

// Classes are all classes, from the worst to the best.
var Classes = []Class{Opened, Interrupted, Changed, Unchanged}

// Timeline is how the decision about a request changes.
type Timeline struct {
	Request Request
	Before  Decision
	Between []State
	After   Decision
	Assumed []string // by all decisions, also those that change nothing
}

// State is a decision for a time.
type State struct {
	Decision Decision
	At, For  time.Duration
	Cause    []Change // with which it begins
}

// Follow decides about requests at each step of the recording. It returns the timelines
// in the same order.
func (r *Recording) Follow(requests []Request, w World) []Timeline {
	account, end := NewAccount(), r.steps[len(r.steps)-1].at
	states, all := make([][]State, len(requests)), make([]Timeline, len(requests))
	for _, step := range r.steps {
		made := account.Apply(step.changes)
		for i, request := range requests {
			known := states[i]
			if len(known) > 0 && len(made) == 0 {
				continue
			}
			decided := account.Decide(request, w)
			all[i].Assumed = append(all[i].Assumed, decided.Assumed...)
			if len(known) == 0 || !known[len(known)-1].Decision.same(decided) {
				states[i] = append(known, State{Decision: decided, At: step.at, Cause: made})
			}
		}
	}
	for i, request := range requests {
		known := states[i]
		for at := range known {
			until := end
			if at+1 < len(known) {
				until = known[at+1].At
			}
			known[at].For = until - known[at].At
		}
		slices.Sort(all[i].Assumed)
		assumed := slices.Compact(all[i].Assumed)
		all[i] = Timeline{request, known[0].Decision, known[1:], known[len(known)-1].Decision, assumed}
	}
	return all
}

// same reports whether a client sees the same.
func (d Decision) same(other Decision) bool {
	return d.Answer == other.Answer && d.Certificate == other.Certificate && d.Reaches == other.Reaches
}

// lets reports whether the client reaches the backend of another decision.
func (d Decision) lets(other Decision) bool { return d.Reaches && d.Answer == other.Answer }

// Class returns the class of the request.
func (t Timeline) Class() Class {
	worst := Changed
	if t.Before.same(t.After) {
		worst = Unchanged
	}
	for _, state := range t.Between {
		worst = slices.MinFunc([]Class{worst, t.ClassOf(state.Decision)}, worse)
	}
	return worst
}

func worse(a, b Class) int { return slices.Index(Classes, a) - slices.Index(Classes, b) }

// ClassOf returns the class of a decision in between.
func (t Timeline) ClassOf(d Decision) Class {
	both := t.Before.Reaches && t.After.Reaches // so nobody wants to keep the client out
	switch {
	case d.Reaches && !both && !t.Before.lets(d) && !t.After.lets(d):
		return Opened
	case t.Before.Served && t.After.Served && (!d.Served || d.Answer != t.Before.Answer && d.Answer != t.After.Answer):
		return Interrupted
	}
	return Unchanged
}
