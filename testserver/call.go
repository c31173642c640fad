package testserver

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"time"
)

// maxBody is the largest request body in bytes; a larger one is 413.
const maxBody = 1 << 20

// call is one request on its way through the server.
type call struct {
	server    *Server
	request   *http.Request
	endpoint  *endpoint
	values    map[string]string // of the path's parameters
	key       string            // of the object that the path names, or belongs to
	problem   error             // why the path leads nowhere
	body      []byte            // read as far as maxBody+1
	bodyErr   error
	account   account
	operation string
	time      time.Time // of arrival
	quirk     *variant  // how this answer differs; nil: not at all
	lag       time.Duration
	lagKind   FaultKind
	lagged    bool   // whether the lag made a difference
	prefix    string // of the id of the object that is being made
	direct    bool   // behind the client's back: no limits, faults, quirks, log
	force     bool   // without the rules for new objects, and with deletion of objects in use
	tx        *tx
}

// newCall finds what the request is for. escapedPath is the path without the base path.
func (s *Server) newCall(r *http.Request, escapedPath string) *call {
	now := s.now()
	c := &call{server: s, request: r, time: now, operation: s.ids.next("op_", now)}
	c.endpoint, c.values, c.problem = s.routes.find(escapedPath)
	c.key = c.endpoint.key(c.values)
	return c
}

// newID returns the id of an object that is being made.
func (c *call) newID() string {
	return c.server.ids.next(c.prefix, c.time)
}

// base is the base URL as this client sees it.
func (c *call) base() string {
	switch s := c.server; {
	case s.publicURL != "":
		return s.publicURL
	case c.direct && s.URL != "":
		return s.URL
	default:
		return "http://" + c.request.Host + s.basePath
	}
}

// readBody reads the whole body before anything else happens, so that nobody waits for a client who sends it slowly.
func (c *call) readBody(w http.ResponseWriter) {
	if c.request.Body == nil || c.request.ContentLength == 0 {
		return
	}
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(c.server.bodyTimeout)) // a recorder in a test has no deadlines
	c.body, c.bodyErr = io.ReadAll(io.LimitReader(c.request.Body, maxBody+1))
	if c.bodyErr == nil {
		_ = connection.SetReadDeadline(time.Time{})
	}
}

// object returns the members of the body, which must be a JSON object.
func (c *call) object() (map[string]any, error) {
	switch {
	case c.bodyErr != nil:
		return nil, invalid("", "the body could not be read, or took longer than %s", c.server.bodyTimeout)
	case len(c.body) > maxBody:
		return nil, &problem{status: http.StatusRequestEntityTooLarge, message: "the body is larger than 1 MiB"}
	}
	if err := c.jsonContent(); len(c.body) > 0 && !c.direct && err != nil {
		return nil, err
	}
	return parseBody(c.body)
}

func (c *call) jsonContent() error {
	kind, _, err := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	if err == nil && kind == "application/json" {
		return nil
	}
	return &problem{status: http.StatusUnsupportedMediaType, message: "the Content-Type of a body must be application/json"}
}

// write runs work as one transaction: all of it is stored, safely, or nothing.
func (c *call) write(work func() error) error {
	err := c.server.store.update(func(tx *tx) error {
		c.tx = tx
		return work()
	})
	var refused *problem
	if err != nil && !errors.As(err, &refused) {
		c.server.log.Error("store", "error", err)
		return &problem{status: http.StatusInternalServerError, message: "the change could not be stored"}
	}
	return err
}
