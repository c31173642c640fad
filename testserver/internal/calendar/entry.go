// Package calendar finds out what expires in an account, and when, if a pipeline plans
// and applies a configuration at certain times. It chooses the times, and says what
// changed from one plan to the next.
package calendar

import (
	"context"
	"slices"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/copy"
)

// World is a copy of an account, and the configuration that a pipeline applies to it.
type World interface {
	// SetClock moves the clock of the service and of the plans, and stops it there.
	SetClock(now time.Time) error
	// Objects returns what expires.
	Objects() []Object
	// Plan plans the configuration. Its error means that there is no plan at all.
	Plan(ctx context.Context) (*copy.Ran, error)
	// Apply applies the last plan.
	Apply(ctx context.Context) (*copy.Ran, error)
}

// Kind is the kind of an [Entry].
type Kind string

// Kinds of entries.
const (
	Applied Kind = "applied" // the pipeline has applied a change
	Waits   Kind = "waits"   // a plan has a change, but the pipeline does not run
	Renewed Kind = "renewed" // the service has renewed a certificate
	Warns   Kind = "warns"   // a plan warns
	Expired Kind = "expired" // an object has expired
	Failed  Kind = "failed"  // a plan or an apply fails
)

// Entry is a line of a calendar: what a plan at a time has shown for the first time.
type Entry struct {
	At      time.Time `json:"at"` // time of the plan or apply
	Kind    Kind      `json:"kind"`
	Address string    `json:"address,omitempty"`
	ID      string    `json:"id,omitempty"`
	Text    string    `json:"text"`
	Person  string    `json:"needs_person,omitempty"` // what somebody has to do
	Served  bool      `json:"served,omitempty"`       // of Expired
	Hosts   []string  `json:"hosts,omitempty"`        // of Expired: whose clients get it
	Since   time.Time `json:"since,omitzero"`         // of Expired: end of its validity
	Until   time.Time `json:"until,omitzero"`         // of Expired: when it was replaced, or the end of the calendar
}

// Calendar is what happens to an account in a period.
type Calendar struct {
	From     time.Time     `json:"from"`
	Until    time.Time     `json:"until"`
	Pipeline string        `json:"pipeline"`
	Objects  int           `json:"objects"` // number of objects that expire, at the start
	Plans    int           `json:"plans"`
	Applies  int           `json:"applies"`
	Duration time.Duration `json:"-"` // real time that it took
	Entries  []Entry       `json:"entries"`
	Notes    []string      `json:"notes"`
}

// Bad reports whether an object was served after its end, or a plan or an apply failed.
func (c *Calendar) Bad() bool {
	return slices.ContainsFunc(c.Entries, func(e Entry) bool { return e.Served || e.Kind == Failed })
}

// Object is an object of an account that expires.
type Object struct {
	ID      string
	Address string // in the state of Terraform; empty if it is not there
	Name    string // for people, such as "SSH host certificate for db1.example.com"
	Begin   time.Time
	End     time.Time
	Early   time.Duration // before End, plans renew it; negative if they do not
	Renews  time.Time     // when the service renews it; zero if it does not
	Served  bool          // somebody gets it, so its end matters
	Hosts   []string      // whose clients get it, if edges serve it
}

// expired reports whether an object is expired at a time. It is valid until its end.
func (o Object) expired(at time.Time) bool { return at.After(o.End) }

// matters reports whether somebody gets the object, or Terraform manages it.
func (o Object) matters() bool { return o.Served || o.Address != "" }

// moments returns the times at which the object makes plans different, other than its
// end.
func (o Object) moments(warning time.Duration) []time.Time {
	moments := []time.Time{o.Renews}
	if o.Early >= 0 {
		return append(moments, o.End.Add(-o.Early))
	}
	if warning > 0 {
		lifetime := max(0, o.End.Sub(o.Begin))
		share := lifetime / 3 // in which plans warn at most
		if lifetime <= 10*day {
			share = lifetime / 2
		}
		moments = append(moments, o.End.Add(-min(warning, share)))
	}
	return moments
}
