package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/calendar"
)

// maxDays is the maximum number of days of a calendar.
const maxDays = 3660

// calendarFlags are the flags of the subcommand calendar.
type calendarFlags struct {
	copyFlags
	days     int
	from     time.Time
	pipeline calendar.Pipeline
}

const calendarUsage = `Usage: tunnel-testserver calendar [flags] -- terraform [options of plan]

Rehearses the coming months in a minute: on a copy of the account and of the state, it
steps through the days on which something can change, plans on each of them, and applies
when the pipeline would. It prints what is renewed, what warns, what is served
expired, and what needs a person.
` + onCopy + `Exit codes: 0: nothing is served expired, 1: something is, a plan or an apply fails, or an
error, 2: invalid flags, 3: not rehearsed, because it could reach something other than the
copy.

Flags:
`

func parseCalendar(arguments []string, messages io.Writer) (*calendarFlags, error) {
	f := &calendarFlags{from: time.Now().UTC().Truncate(time.Second), days: 400}
	f.pipeline, _ = calendar.ParsePipeline("daily")
	flags := newFlags("calendar", calendarUsage, messages)
	flags.Func("days", "number of `DAYS` of the calendar (default: 400)", number(&f.days, maxDays))
	flags.Func("from", "`TIME` at which it begins, such as 2027-03-01T00:00:00Z (default: now)", func(text string) (err error) {
		if f.from, err = time.Parse(time.RFC3339, text); err != nil {
			return errors.New("expected a time in RFC 3339 format, such as 2027-03-01T00:00:00Z")
		}
		f.from = f.from.UTC().Truncate(time.Second)
		return nil
	})
	flags.Func("pipeline", "when the pipeline plans and applies, at 06:00 UTC: daily, weekly (on Mondays) or "+
		"\"on merge: `DATES`\" with dates such as 2027-03-14, 2027-09-01 (default: daily)", func(text string) (err error) {
		f.pipeline, err = calendar.ParsePipeline(text)
		return err
	})
	f.add(flags, "text", "json")
	return f, f.parse(flags, arguments, messages, f.check)
}

func (f *calendarFlags) check() error {
	if f.account == "" && f.from.Before(time.Now().AddDate(0, 0, -1)) {
		return errors.New("invalid -from: it is in the past, when the objects of the account did not exist yet")
	}
	return nil
}

// makeCalendar prints the calendar of an account.
func makeCalendar(ctx context.Context, arguments []string, out, messages io.Writer) error {
	f, err := parseCalendar(arguments, messages)
	if err != nil {
		return err
	}
	folder, seed, err := f.open(ctx, messages)
	if err != nil {
		return err
	}
	defer folder.Remove()
	account, stop, err := calendar.Open(ctx, folder, seed, f.from)
	if err != nil {
		return err
	}
	defer stop()
	made, err := calendar.Make(ctx, calendar.Settings{
		From: f.from, Days: f.days, Pipeline: f.pipeline, Warning: account.Warning, Messages: messages,
	}, account)
	if err != nil {
		return err
	}
	if err := f.print(out, made, made.WriteText); err != nil {
		return err
	}
	if len(made.ServedExpired()) > 0 || made.Fails() {
		return exitCode(1)
	}
	return nil
}
