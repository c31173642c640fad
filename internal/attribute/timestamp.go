package attribute

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// Timestamp is a time in RFC 3339 format. Two timestamps are the same if they
// denote the same instant, whatever their offsets and fractional digits.
type Timestamp = Value[timestamp]

// TimestampType is the type of Timestamp.
type TimestampType = Type[timestamp]

type timestamp struct{}

// Canonical returns the instant in UTC.
func (timestamp) Canonical(text string) string {
	t, err := ParseTime(text)
	if err != nil {
		return text
	}
	return t.UTC().Format(time.RFC3339Nano)
}

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

// rfc3339 matches the format of the standard. time.Parse also accepts other
// formats, such as 8:15:30 and ,5.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// ParseTime parses an RFC 3339 timestamp. The letters T and Z may be lower
// case, as the standard allows.
func ParseTime(text string) (time.Time, error) {
	upper := strings.ToUpper(text)
	t, err := time.Parse(time.RFC3339Nano, upper)
	if err != nil || !rfc3339.MatchString(upper) {
		return t, fmt.Errorf(
			"must be a time in RFC 3339 format with an offset, such as 2027-01-31T08:15:30Z or 2027-01-31T09:15:30+01:00; found %s",
			quote.Value(text),
		)
	}
	return t, nil
}

// TimestampOf returns the timestamp of an instant, in UTC.
func TimestampOf(t time.Time) Timestamp {
	return TimestampType{}.Of(t.UTC().Format(time.RFC3339Nano))
}

// Instant returns the time of a timestamp, or false if the timestamp is not
// known or not valid.
func Instant(t Timestamp) (time.Time, bool) {
	if !IsKnown(t) {
		return time.Time{}, false
	}
	instant, err := ParseTime(t.ValueString())
	return instant, err == nil
}

// SSHTime validates a time for an SSH certificate, which counts whole seconds
// from 1970 on.
var SSHTime = Limit("a time without fractional seconds, in the years 1970 to 9999 in UTC", CheckSSHTime)

// SSHTimeOf returns a time that the API shows for an SSH certificate, without the
// fraction of a second that some services add and no certificate contains.
func SSHTimeOf(text string) Timestamp {
	if t, err := ParseTime(text); err == nil && t.Nanosecond() != 0 {
		text = t.Truncate(time.Second).Format(time.RFC3339)
	}
	return TimestampType{}.Of(text)
}

// CheckSSHTime returns an error if an SSH certificate cannot contain the time.
// It returns nil if text is not a time, which TimestampType.Valid reports.
func CheckSSHTime(text string) error {
	t, err := ParseTime(text)
	switch {
	case err != nil:
		return nil //nolint:nilerr // TimestampType.Valid reports it
	case t.Nanosecond() != 0:
		return fmt.Errorf("must not have fractional seconds, because SSH certificates do not support them; found %s", quote.Value(text))
	case t.Unix() < 0:
		return fmt.Errorf("must not be before 1970-01-01, the minimum time of an SSH certificate; found %s", quote.Value(text))
	case t.UTC().Year() > 9999:
		return fmt.Errorf("must not be after the year 9999 in UTC; found %s", quote.Value(text))
	}
	return nil
}

// CheckPeriod returns an error if a validity period does not end after it
// begins.
func CheckPeriod(after, until time.Time) error {
	if until.After(after) {
		return nil
	}
	return errors.New(
		"must be after the beginning of the validity period (" + after.Format(time.RFC3339) + "); found " + until.Format(time.RFC3339),
	)
}

// Expired reports whether an end time is in the past.
func Expired(end, now time.Time) bool { return now.After(end) }

// EndsWithin reports whether an end time is at most span from now, or in the
// past.
func EndsWithin(span time.Duration, end, now time.Time) bool { return !now.Before(end.Add(-span)) }

// MostHours is the maximum number of hours in an attribute: a hundred years.
const MostHours = 100 * 365 * 24

// Hours returns a number of hours as a duration, or false if the number is not
// known.
func Hours(n types.Int64) (time.Duration, bool) {
	return time.Duration(n.ValueInt64()) * time.Hour, IsKnown(n)
}
