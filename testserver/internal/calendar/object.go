package calendar

import "time"

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
		moments = append(moments, o.End.Add(-min(warning, share(o.End.Sub(o.Begin)))))
	}
	return moments
}

// share returns the part of a lifetime in which plans warn at most: a third, or half if
// it is ten days or less. A wrong value would only move a plan to another day.
func share(lifetime time.Duration) time.Duration {
	if lifetime <= 10*day {
		return max(0, lifetime/2)
	}
	return lifetime / 3
}

// margin returns how long before its end plans renew an object at worst, if runs of a
// pipeline are that far apart, and whether seconds decide about it and it is less than
// the time between two runs.
func (o Object) margin(every time.Duration) (worst time.Duration, tight bool) {
	lifetime := o.End.Sub(o.Begin)
	near := func(d time.Duration) bool { return min(d%every, every-d%every) < jitter }
	worst = lifetime - ((lifetime-o.Early+jitter)/every+1)*every // the first run that is surely late enough
	return worst, worst < every && (near(lifetime) || near(lifetime-o.Early))
}
