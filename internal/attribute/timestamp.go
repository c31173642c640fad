package attribute

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Timestamp is a time in RFC 3339 notation. Two are the same when they are the
// same instant, whatever their offsets and fractions.
type Timestamp = Value[timestamp]

// TimestampType is the type of Timestamp.
type TimestampType = Type[timestamp]

type timestamp struct{}

func (timestamp) Name() string { return "RFC 3339 timestamp" }

func (timestamp) Check(text string) error {
	_, err := ParseTime(text)
	return err
}

func (timestamp) Same(a, b string) bool {
	at, aErr := ParseTime(a)
	bt, bErr := ParseTime(b)
	return aErr == nil && bErr == nil && at.Equal(bt)
}

// rfc3339 is the format as the standard has it; time.Parse takes more, such as
// 8:15:30 and ,5.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// ParseTime reads an RFC 3339 timestamp. The letters T and Z may be lower case, as
// the standard allows.
func ParseTime(text string) (time.Time, error) {
	upper := strings.ToUpper(text)
	t, err := time.Parse(time.RFC3339Nano, upper)
	if err != nil || !rfc3339.MatchString(upper) {
		return t, fmt.Errorf("must be a time in RFC 3339 format with an offset, such as 2027-01-31T08:15:30Z or 2027-01-31T09:15:30+01:00; found %q", text)
	}
	return t, nil
}

// TimestampOf returns the timestamp of an instant, in UTC.
func TimestampOf(t time.Time) Timestamp {
	return TimestampType{}.Of(t.UTC().Format(time.RFC3339Nano))
}

// Instant returns the time that a timestamp names; false where it is not known,
// or is none.
func Instant(t Timestamp) (time.Time, bool) {
	if !Known(t) {
		return time.Time{}, false
	}
	instant, err := ParseTime(t.ValueString())
	return instant, err == nil
}

// SSHTime is a validator of times that go into an SSH certificate, which counts
// whole seconds from 1970 on.
var SSHTime = Check("a time without fractional seconds, in the years 1970 to 9999 in UTC", CheckSSHTime)

// CheckSSHTime returns why a time cannot go into an SSH certificate. The type of
// the attribute refuses what is not a time at all.
func CheckSSHTime(text string) error {
	t, err := ParseTime(text)
	switch {
	case err != nil:
		return nil //nolint:nilerr // TimestampType.Valid has said it
	case t.Nanosecond() != 0:
		return fmt.Errorf("must not have fractional seconds, because SSH certificates do not support them; found %q", text)
	case t.Unix() < 0:
		return fmt.Errorf("must not be before 1970-01-01, the minimum time of an SSH certificate; found %q", text)
	case t.UTC().Year() > 9999:
		return fmt.Errorf("must not be after the year 9999 in UTC; found %q", text)
	}
	return nil
}

// CheckPeriod says why a validity cannot begin and end at two times.
func CheckPeriod(after, until time.Time) error {
	if until.After(after) {
		return nil
	}
	return errors.New("must be after valid_after (" + after.Format(time.RFC3339) + "); found " + until.Format(time.RFC3339))
}

// Ended tells whether what ends at a time is over by now.
func Ended(end, now time.Time) bool { return now.After(end) }

// EndsWithin tells whether what ends at a time does so within a span from now
// on, or has already.
func EndsWithin(span time.Duration, end, now time.Time) bool { return !now.Before(end.Add(-span)) }

// MostHours is how many hours an attribute may give: a hundred years.
const MostHours = 100 * 365 * 24

// Hours returns the duration that a number of hours is; false where the number
// is not known.
func Hours(n types.Int64) (time.Duration, bool) {
	return time.Duration(n.ValueInt64()) * time.Hour, Known(n)
}
