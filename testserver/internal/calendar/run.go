package calendar

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Settings are what a calendar depends on.
type Settings struct {
	From     time.Time
	Days     int
	Pipeline Pipeline
	Warning  time.Duration // before an end, when plans begin to warn; 0 if they do not
	Messages io.Writer     // for progress
}

// run is a calendar that is being made.
type run struct {
	Settings
	world    World
	now      time.Time
	calendar *Calendar
	soon     time.Time          // morning after a plan that showed something new
	runs     time.Time          // when the pipeline runs, if something waits for it
	shown    map[[2]string]bool // what has an entry, by address and text
	open     map[string]int     // entries of objects that are expired, by id
	managed  map[string]string  // ids of the certificates that the service renews, by name
}

// Make steps through the times at which something can change, and plans at each of
// them: in the morning after an object becomes due or a warning begins, a second after an
// end, when the pipeline runs and something waits for it, and in the morning after a plan
// that showed something new. Each entry says what the plan at its time has shown.
func Make(ctx context.Context, settings Settings, world World) (*Calendar, error) {
	begin := time.Now()
	until := settings.From.Add(time.Duration(settings.Days) * day)
	r := &run{
		Settings: settings, world: world, now: settings.From,
		calendar: &Calendar{From: settings.From, Until: until, Pipeline: settings.Pipeline.text, Entries: []Entry{}},
		shown:    map[[2]string]bool{}, open: map[string]int{}, managed: map[string]string{},
	}
	for !r.now.After(until) {
		next, err := r.look(ctx)
		if err != nil {
			return nil, fmt.Errorf("on %s: %w", r.now.Format(time.RFC3339), err)
		}
		r.now = next
	}
	for _, i := range r.open {
		r.calendar.Entries[i].Until = until
	}
	r.calendar.Notes = r.margins()
	r.calendar.Duration = time.Since(begin)
	return r.calendar, nil
}

// margins returns a note for each object whose renewal cannot wait for another run.
func (r *run) margins() []string {
	notes, every := []string{}, time.Duration(r.Pipeline.every)*day
	for _, o := range r.world.Objects() {
		if every > 0 && o.Early >= 0 && o.Early <= every && o.matters() {
			const late = "%s: renewed %s before its end, while the pipeline runs every %s: it expires if one run is late or fails"
			notes = append(notes, fmt.Sprintf(late, problem.Escape(o.Address), length(o.Early), length(every)))
		}
	}
	return notes
}

// look plans at the current time, and returns the time of the next look.
func (r *run) look(ctx context.Context) (next time.Time, err error) {
	if err := r.world.SetClock(r.now); err != nil {
		return next, err
	}
	known := len(r.calendar.Entries)
	objects := r.world.Objects()
	if r.calendar.Plans == 0 {
		r.calendar.Objects = len(objects)
	}
	r.calendar.Plans++
	r.noteRenewals(objects)
	r.noteExpired(objects)
	plan, err := r.world.Plan(ctx)
	if err != nil {
		return next, err
	}
	found := r.calendar.Entries[known:]
	for _, warning := range plan.Warnings {
		entry := Entry{Kind: Warns, Address: warning.Address, Text: warning.Summary}
		if slices.ContainsFunc(found, func(e Entry) bool { return e.Kind == Expired && e.Address == warning.Address }) {
			r.shown[key(entry)] = true // it says the same as the entry of the object
		}
		r.once(entry)
	}
	switch {
	case plan.Failure != "":
		r.once(Entry{Kind: Failed, Text: "the plan fails: " + plan.Failure, Person: plan.Failure})
	case len(plan.Planned) > 0:
		if err := r.pipeline(ctx, plan); err != nil {
			return next, err
		}
		objects = r.world.Objects()
	}
	r.closeEnded(objects)
	if len(r.calendar.Entries) > known {
		r.soon = morning(r.now.Add(1))
	}
	if r.calendar.Plans%10 == 0 {
		fmt.Fprintf(r.Messages, "%d plans, %s\n", r.calendar.Plans, r.now.Format(time.DateOnly))
	}
	return r.next(objects), nil
}

// next returns the time of the next look. What is in the past or does not exist any more
// needs none.
func (r *run) next(objects []Object) time.Time {
	next := r.calendar.Until.Add(1)
	consider := func(at time.Time) {
		if at.After(r.now) && at.Before(next) {
			next = at
		}
	}
	consider(r.soon)
	consider(r.runs)
	if merge, ok := r.Pipeline.Next(r.now); ok && r.Pipeline.every == 0 {
		consider(merge)
	}
	for _, object := range objects {
		if !object.matters() {
			continue
		}
		consider(object.End.Add(time.Second))
		for _, moment := range object.moments(r.Warning) {
			consider(morning(moment))
		}
	}
	return next
}

// once adds an entry, unless there is one about the same.
func (r *run) once(entry Entry) {
	if !r.shown[key(entry)] {
		r.shown[key(entry)] = true
		r.add(entry)
	}
}

// key returns what entries about the same have in common.
func key(entry Entry) [2]string { return [2]string{entry.Address, string(entry.Kind) + entry.Text} }

func (r *run) add(entry Entry) {
	entry.At, entry.Address, entry.Text = r.now, problem.Escape(entry.Address), problem.Escape(entry.Text)
	r.calendar.Entries = append(r.calendar.Entries, entry)
}

// pipeline does with a plan that has changes what the pipeline does.
func (r *run) pipeline(ctx context.Context, plan *copy.Ran) error {
	next, again := r.Pipeline.Next(r.now)
	if !r.Pipeline.Runs(r.now) {
		if r.runs = next; again && next.Sub(r.now) <= day {
			return nil // nothing to worry about
		}
		for _, change := range plan.Planned {
			text := "the plan " + change.Action + "s" + " it, but the pipeline does not run again"
			if again {
				text = "the plan " + change.Action + "s" + " it; the pipeline runs next on " + next.Format(time.DateOnly)
			}
			person := ""
			if r.Pipeline.every == 0 {
				person = "merge, so that the pipeline runs"
			}
			r.once(Entry{Kind: Waits, Address: change.Address, Text: text, Person: person})
		}
		return nil
	}
	// A certificate is never issued at the second at which the pipeline begins. If it
	// were, it would become due just when a later run begins.
	r.now = r.now.Add(time.Second)
	if err := r.world.SetClock(r.now); err != nil {
		return err
	}
	applied, err := r.world.Apply(ctx)
	if err != nil {
		return err
	}
	r.calendar.Applies++
	if applied.Failure != "" {
		r.once(Entry{Kind: Failed, Text: "the apply fails: " + applied.Failure, Person: applied.Failure})
		return nil
	}
	objects := r.world.Objects()
	for _, change := range plan.Planned {
		maps.DeleteFunc(r.shown, func(key [2]string, _ bool) bool { return key[0] == change.Address })
		entry := Entry{Kind: Applied, Address: change.Address, Text: "the pipeline " + change.Action + "s" + " it"}
		if i := slices.IndexFunc(objects, func(o Object) bool { return o.Address == change.Address }); i >= 0 {
			entry.ID, entry.Text = objects[i].ID, entry.Text+"; valid until "+objects[i].End.Format(time.DateOnly)
		}
		r.add(entry)
	}
	return nil
}

// noteRenewals adds what the service has renewed since the last look.
func (r *run) noteRenewals(objects []Object) {
	for _, object := range objects {
		if object.Renews.IsZero() {
			continue
		}
		if old := r.managed[object.Name]; old != "" && old != object.ID {
			r.add(Entry{Kind: Renewed, Address: object.Address, ID: object.ID,
				Text: "the service has renewed the " + object.Name + "; valid until " + object.End.Format(time.DateOnly)})
		}
		r.managed[object.Name] = object.ID
	}
}

// noteExpired adds what has expired since the last look.
func (r *run) noteExpired(objects []Object) {
	for _, object := range objects {
		if _, known := r.open[object.ID]; known || !object.expired(r.now) || !object.matters() {
			continue
		}
		r.open[object.ID] = len(r.calendar.Entries)
		person := ""
		if object.Served && object.Early < 0 && object.Renews.IsZero() {
			person = "renew it, because no plan does"
		}
		r.add(Entry{
			Kind: Expired, Address: object.Address, ID: object.ID, Text: object.Name, Served: object.Served, Hosts: object.Hosts, Since: object.End,
			Person: person,
		})
	}
}

// closeEnded ends the entries of objects that are not expired any more.
func (r *run) closeEnded(objects []Object) {
	for id, i := range r.open {
		entry := &r.calendar.Entries[i]
		still := slices.ContainsFunc(objects, func(o Object) bool {
			return o.ID == id && o.expired(r.now) && (o.Served || !entry.Served)
		})
		if !still {
			entry.Until = r.now
			delete(r.open, id)
		}
	}
}
