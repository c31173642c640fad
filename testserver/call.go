package testserver

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"
)

// bodyTimeout is the maximum time for a request body to arrive.
const bodyTimeout = time.Minute

// maxBody is the maximum size of a request body in bytes. Larger bodies are
// refused with 413.
const maxBody = 1 << 20

// call is the state of one request while the server processes it.
type call struct {
	api       *api
	request   *http.Request
	endpoint  *endpoint
	values    map[string]string // path parameters by name
	path      string            // percent-encoded, without the base path
	key       string            // key of the object that the path names, or of its parent
	problem   error             // set if the path is unknown or has an invalid parameter
	body      []byte            // at most maxBody+1 bytes
	bodyErr   error
	sent      map[string]any // members of the body; nil if they were not read
	account   account
	operation string
	time      time.Time // time of arrival
	quirk     *variant  // quirks of this response; nil if quirks are off
	normal    rules     // rules of the normaliser for this response
	view      view
	prefix    string // id prefix of the object to create
	created   string // key of the object that the call created
	direct    bool   // out-of-band: no limits, faults, quirks and log
	inFlight  bool   // counted as in flight
	force     bool   // skip the validation rules for new objects, and allow deletion of objects in use
	tx        *tx
}

// view is the state that a call sees, and that its response shows. The zero view
// is the current state.
type view struct {
	asOf    time.Time             // time of the state; zero is now
	hidden  time.Duration         // age up to which objects do not exist yet
	skew    time.Duration         // offset of the Date header
	instead func(key string) bool // reports whether a POST shows the object with this key instead of the new one; nil if none
	used    bool                  // set when the view has changed the response
}

// begin counts the call as in flight.
func (c *call) begin() {
	c.inFlight = true
	c.api.inFlight.Add(1)
}

// end is the opposite of begin. A second end does nothing.
func (c *call) end() {
	if c.inFlight {
		c.inFlight = false
		c.api.inFlight.Add(-1)
	}
}

// newID returns a new id with a prefix.
func (c *call) newID(prefix string) string {
	return c.api.ids.next(prefix, c.time)
}

// base returns the base URL as the client sees it.
func (c *call) base() string {
	return c.api.baseURL(c)
}

// asOf returns the time of the state that a call reads. The zero time is the
// current state.
func (c *call) asOf() time.Time {
	if !c.view.asOf.IsZero() {
		c.view.used = true
	}
	return c.view.asOf
}

// hides reports whether the view of a call does not contain an object that was
// stored at born.
func (c *call) hides(born time.Time) bool {
	hidden := c.view.hidden > 0 && !born.IsZero() && c.time.Sub(born) < c.view.hidden
	c.view.used = c.view.used || hidden
	return hidden
}

// readBody reads the body before the server applies limits and faults, so that
// a slow client does not block other requests. It reads at most maxBody+1
// bytes.
func (c *call) readBody(w http.ResponseWriter) {
	if c.request.Body == nil || c.request.ContentLength == 0 {
		return
	}
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(bodyTimeout)) // not supported by httptest.ResponseRecorder
	c.body, c.bodyErr = io.ReadAll(io.LimitReader(c.request.Body, maxBody+1))
	if c.bodyErr == nil {
		_ = connection.SetReadDeadline(time.Time{})
	}
}

// object returns the members of the body, which must be a JSON object.
func (c *call) object() (map[string]any, error) {
	switch {
	case c.bodyErr != nil:
		return nil, invalid("", "could not read the request body: the connection failed or the body took longer than %s", bodyTimeout)
	case len(c.body) > maxBody:
		return nil, &problem{status: http.StatusRequestEntityTooLarge, message: "the request body is larger than 1 MiB"}
	}
	if err := checkContentType(c.request.Header); len(c.body) > 0 && !c.direct && err != nil {
		return nil, err
	}
	if c.quirk != nil && c.request.Method != http.MethodPost && len(bytes.TrimSpace(c.body)) == 0 {
		return map[string]any{}, nil
	}
	values, err := parseBody(c.body)
	if err != nil {
		return nil, err
	}
	return values, c.api.contract.dropIgnored(c.endpoint.pattern, c.request.Method, c.values, values)
}

// write runs work as one transaction: either all changes are stored durably, or
// none.
func (c *call) write(work func() error) error {
	err := c.api.store.update(func(tx *tx) error {
		c.tx = tx
		return work()
	})
	var refused *problem
	if err != nil && !errors.As(err, &refused) {
		c.api.log.Error("store", "error", err)
		return &problem{status: http.StatusInternalServerError, message: "could not store the change"}
	}
	return err
}
