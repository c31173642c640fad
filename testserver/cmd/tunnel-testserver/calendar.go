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

// makeCalendar prints the calendar of an account.
func makeCalendar(ctx context.Context, arguments []string, out, messages io.Writer) error {
	f, settings := &copyFlags{}, calendar.Settings{From: time.Now().UTC().Truncate(time.Second), Days: 400, Messages: messages}
	settings.Pipeline, _ = calendar.ParsePipeline("daily")
	flags := newFlags("calendar", calendarUsage, messages)
	flags.Func("days", "number of `DAYS` of the calendar (default: 400)", number(&settings.Days, maxDays))
	flags.Func("from", "`TIME` at which it begins, such as 2027-03-01T00:00:00Z (default: now)", func(text string) error {
		from, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return errors.New("expected a time in RFC 3339 format, such as 2027-03-01T00:00:00Z")
		}
		settings.From = from.UTC().Truncate(time.Second)
		return nil
	})
	flags.Func("pipeline", "when the pipeline plans and applies, at 06:00 UTC: daily, weekly (on Mondays) or "+
		"\"on merge: `DATES`\" with dates such as 2027-03-14, 2027-09-01 (default: daily)", func(text string) (err error) {
		settings.Pipeline, err = calendar.ParsePipeline(text)
		return err
	})
	f.add(flags, "text", "json")
	err := f.parse(flags, arguments, messages, func() error {
		if f.account == "" && settings.From.Before(time.Now().AddDate(0, 0, -1)) {
			return errors.New("invalid -from: it is in the past, when the objects of the account did not exist yet")
		}
		return nil
	})
	if err != nil {
		return err
	}
	folder, seed, err := f.open(ctx, messages)
	if err != nil {
		return err
	}
	defer folder.Remove()
	account, stop, err := calendar.Open(ctx, folder, seed, settings.From)
	if err != nil {
		return err
	}
	defer stop()
	settings.Warning = account.Warning
	made, err := calendar.Make(ctx, settings, account)
	if err != nil {
		return err
	}
	if err := f.print(out, made); err != nil {
		return err
	}
	if made.Bad() {
		return exitCode(1)
	}
	return nil
}
