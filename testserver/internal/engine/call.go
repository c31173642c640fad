package engine

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// bodyTimeout is the maximum time for a request body to arrive.
const bodyTimeout = time.Minute

// maxBody is the maximum size of a request body in bytes. Larger bodies are
// refused with 413.
const maxBody = 1 << 20

// Call is the state of one request while the server processes it.
type Call struct {
	api       *API
	Request   *http.Request
	Endpoint  *Endpoint
	Values    map[string]string // path parameters by name
	Path      string            // percent-encoded
	Key       string            // key of the object that the path names, or of its parent
	problem   error             // set if the path is unknown or has an invalid parameter
	Body      []byte            // at most maxBody+1 bytes
	BodyErr   error
	Account   Account
	Operation string
	Time      time.Time // time of arrival, by API.Now
	Arrived   time.Time // time of arrival, by API.Clock
	Acts      Acts      // nil is the default
	AsOf      time.Time // time of the state that the call reads; zero is now
	Prefix    string    // id prefix of the object to create
	Direct    bool      // out-of-band: no other behavior and no log
	inFlight  bool      // counted as in flight
	Answer    bool      // the body is an object that the API returned
	Force     bool      // skip the validation rules for new objects, and allow deletion of objects in use
	Tx        *store.Tx
}

// Begin counts the call as in flight.
func (c *Call) Begin() {
	c.inFlight = true
	c.api.InFlight.Add(1)
}

// Acts is how else the service acts for a call.
type Acts interface {
	Has(name string) bool             // reports whether a behavior is on
	Form(value any, refused bool) any // returns the JSON tree of a response in another form
	Change(*Call, *Answer)            // changes the values in a response
}

// Behaves reports whether a behavior is on for the call.
func (c *Call) Behaves(name string) bool {
	return c.Acts != nil && c.Acts.Has(name)
}

// End is the opposite of Begin. A second end does nothing.
func (c *Call) End() {
	if c.inFlight {
		c.inFlight = false
		c.api.InFlight.Add(-1)
	}
}

// NewID returns a new id with a prefix.
func (c *Call) NewID(prefix string) string {
	return c.api.IDs.Next(prefix, c.Time)
}

// Base returns the base URL as the client sees it.
func (c *Call) Base() string {
	return c.api.BaseURL(c)
}

// ReadBody reads the body before the server applies limits and failures, so that
// a slow client does not block other requests. It reads at most maxBody+1
// bytes.
func (c *Call) ReadBody(w http.ResponseWriter) {
	if c.Request.Body == nil || c.Request.ContentLength == 0 {
		return
	}
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(bodyTimeout)) // not supported by httptest.ResponseRecorder
	c.Body, c.BodyErr = io.ReadAll(io.LimitReader(c.Request.Body, maxBody+1))
	if c.BodyErr == nil {
		_ = connection.SetReadDeadline(time.Time{})
	}
}

// CheckBody returns an error if the body did not arrive as a whole, or is too large.
func (c *Call) CheckBody() error {
	switch {
	case c.BodyErr != nil:
		return problem.Invalid("", "could not read the request body: the connection failed or the body took longer than %s", bodyTimeout)
	case len(c.Body) > maxBody:
		return &problem.Problem{Status: http.StatusRequestEntityTooLarge, Message: "the request body is larger than 1 MiB"}
	}
	return nil
}

// object returns the members of the body, which must be a JSON object.
func (c *Call) object() (map[string]any, error) {
	if err := c.CheckBody(); err != nil {
		return nil, err
	}
	if err := body.CheckContentType(c.Request.Header); len(c.Body) > 0 && !c.Direct && err != nil {
		return nil, err
	}
	parse := body.Parse
	if c.Answer {
		parse = body.ParseAnswer
	}
	values, err := parse(c.Body)
	if err != nil {
		return nil, err
	}
	return values, c.api.Contract.DropIgnored(c.Endpoint.Pattern, c.Request.Method, c.Values, values)
}

// write runs work as one transaction: either all changes are stored durably, or
// none.
func (c *Call) write(work func() error) error {
	err := c.api.Store.Update(func(tx *store.Tx) error {
		c.Tx = tx
		return work()
	})
	var refused *problem.Problem
	if err != nil && !errors.As(err, &refused) {
		c.api.Log.Error("store", "error", err)
		return &problem.Problem{Status: http.StatusInternalServerError, Message: "could not store the change"}
	}
	return err
}
