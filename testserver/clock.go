package testserver

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Now returns the time of the server, in UTC.
func (s *Server) Now() time.Time {
	return s.api.Now()
}

// SetClock moves the time of the server forward to now. If frozen, it stands still
// from then on, otherwise it runs. created_at, Date, default validity periods and
// renewals of managed certificates follow it. Rate limits, latency, lags and durations
// do not, because clients wait for them in real time. SetClock returns an error if now is
// in the past or in the year 2200 or later.
func (s *Server) SetClock(now time.Time, frozen bool) error {
	return s.setClock(now, 0, &frozen)
}

func (s *Server) setClock(now time.Time, advance time.Duration, frozen *bool) error {
	if err := s.api.SetClock(now, advance, frozen); err != nil {
		return err
	}
	return s.service.RenewCertificates(&s.api.IDs, s.api.Now())
}

// clockView is the JSON form of the clock.
type clockView struct {
	Now    time.Time `json:"now"`
	Frozen bool      `json:"frozen"`
}

func (s *Server) controlClock(c *engine.Call) (*engine.Answer, error) {
	return s.success(c, http.StatusOK, clockView{s.api.Now(), s.api.Frozen()}), nil
}

// controlSetClock moves the clock to now, or by advance, and freezes it or lets it run.
func (s *Server) controlSetClock(c *engine.Call) (*engine.Answer, error) {
	in, err := body.Settings(c.Body)
	if err != nil {
		return nil, err
	}
	target, advance, frozen := in.Time("now"), in.Text("advance"), in.Flag("frozen")
	in.RefuseUnknown()
	in.Rule(target == nil || advance == nil, "advance", "only one of now and advance can be set")
	in.Rule(target != nil || advance != nil || frozen != nil, "now", "expected now, advance or frozen")
	now, period, field := time.Time{}, time.Duration(0), "now"
	if target != nil {
		now = *target
	}
	if advance != nil {
		field = "advance"
		period, err = parsePeriod(*advance)
		in.Rule(err == nil, field, "invalid advance: %v", err)
	}
	if err := in.End(); err != nil {
		return nil, err
	}
	if err := s.setClock(now, period, frozen); err != nil {
		return nil, problem.Invalid(field, "%v", err)
	}
	return s.controlClock(c)
}

var days = regexp.MustCompile(`^(\d{1,6})d`)

// parsePeriod parses a duration that is not negative, such as 60d, 1d12h or 90m. A day
// has 24 hours.
func parsePeriod(text string) (time.Duration, error) {
	hours := days.ReplaceAllStringFunc(text, func(number string) string {
		n, _ := strconv.Atoi(strings.TrimSuffix(number, "d")) // matches
		return fmt.Sprintf("%dh", 24*n)
	})
	period, err := time.ParseDuration(hours)
	if err != nil || period < 0 {
		return 0, errors.New("expected a duration such as 60d, 1d12h or 90m")
	}
	return period, nil
}
