package testserver

import (
	"context"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/faults"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

// Fault is a rule that defines which requests get a fault, and which fault. If
// several rules match, the first one that hits the request applies.
type Fault = faults.Fault

// FaultKind is the effect of a fault.
type FaultKind = faults.Kind

// The kinds of faults. "After" means that the request is processed and its
// response is lost or replaced. Other errors and resets do not process the
// request, except for FaultResetDuring.
const (
	FaultDelay = faults.Delay // the request is processed after the delay
	FaultSlow  = faults.Slow  // the request is processed at once, and the response is delayed

	FaultHold      = faults.Hold      // the request stops before it is processed, until Release
	FaultHoldAfter = faults.HoldAfter // the same after it is processed, before the response

	Fault429 = faults.Error429
	Fault500 = faults.Error500
	Fault502 = faults.Error502
	Fault503 = faults.Error503
	Fault504 = faults.Error504

	Fault500After = faults.Error500After
	Fault502After = faults.Error502After
	Fault503After = faults.Error503After
	Fault504After = faults.Error504After

	FaultResetBefore = faults.ResetBefore // the connection is reset (TCP RST) without a response
	FaultResetDuring = faults.ResetDuring // the connection is reset, and the request is processed after the delay
	FaultResetAfter  = faults.ResetAfter

	FaultTruncate    = faults.Truncate    // the connection closes in the middle of the body
	FaultHTML        = faults.HTML        // an HTML page of a proxy instead of JSON
	FaultContentType = faults.ContentType // the correct body with the content type text/plain
	FaultEmpty       = faults.Empty       // no body
	FaultEndless     = faults.Endless     // a body that never ends

	FaultResetStreamAfter = faults.ResetStreamAfter // HTTP/2: the request is processed and its stream is reset with Code

	FaultRedirect  = faults.Redirect  // a redirect to a path that returns 404
	FaultLostRoute = faults.LostRoute // 404, as if the route did not exist

	FaultLag          = faults.Lag          // a GET returns the state of the given delay ago
	FaultLagGet       = faults.LagGet       // the same, only for a GET of an object or module
	FaultLagList      = faults.LagList      // the same, only for a GET of a list
	FaultEmptyReplica = faults.EmptyReplica // a GET returns the state of an account without objects

	FaultStalePage = faults.StalePage // a cached list response, up to the given delay old
	FaultShortList = faults.ShortList // list elements without some members

	FaultNotFoundAfterCreate = faults.NotFoundAfterCreate // GET by id returns 404 until the delay after creation has passed
	FaultNotFoundOnce        = faults.NotFoundOnce        // 404 for an object or module that exists

	FaultReplay201 = faults.Replay201 // the 201 of an earlier POST to the same path

	FaultClockSkew = faults.ClockSkew // Date differs by the given delay from the clock of created_at
)

// ParseFaults reads rules from JSON: a list of rules, or an object with the
// list as "rules".
func ParseFaults(data []byte) ([]Fault, error) {
	return faults.Parse(data, kinds.Routes())
}

// SetFaults replaces the fault rules, and releases held requests. Without rules, it
// disables faults. An
// invalid rule fails the test, or panics if the server was created with [New].
func (s *Server) SetFaults(rules ...Fault) {
	s.must(s.injector.Use(rules))
}

// HeldRequest is a request that FaultHold or FaultHoldAfter holds.
type HeldRequest = faults.Held

// Held returns the requests that are held, oldest first. If there are none, it waits for
// one until the context ends.
func (s *Server) Held(ctx context.Context) []HeldRequest { return s.injector.Held(ctx) }

// Release lets the held requests with these numbers go on, or all without a number. It
// returns how many it has released.
func (s *Server) Release(numbers ...int) int { return s.injector.Release(numbers...) }
