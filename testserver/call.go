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
	problem   error             // why the path leads nowhere
	body      []byte            // read as far as maxBody+1
	bodyErr   error
	account   account
	operation string
	time      time.Time // of arrival
	quirk     *variant  // how this answer differs; nil: not at all
	lag       time.Duration
	lagKind   FaultKind
	lagged    bool // whether the lag made a difference
	direct    bool // from a Go method: no limits, faults, quirks, log
	force     bool // what refers to an object does not keep it from being deleted
	tx        *tx
}

// newCall finds what the request is for. escapedPath is the path without the base path.
func (s *Server) newCall(r *http.Request, escapedPath string) *call {
	now := s.now()
	c := &call{server: s, request: r, time: now, operation: s.ids.next("op_", now)}
	c.endpoint, c.values, c.problem = s.routes.find(escapedPath)
	return c
}

// id is what the last parameter of the path holds.
func (c *call) id() string {
	return c.values["id"]
}

// newID gives the id of an object that is being made.
func (c *call) newID(prefix string) string {
	return c.server.ids.next(prefix, c.time)
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

// readBody reads the body once, so that the contract check and the endpoint see the same bytes.
func (c *call) readBody() ([]byte, error) {
	if c.body == nil && c.bodyErr == nil && c.request.Body != nil {
		c.body, c.bodyErr = io.ReadAll(io.LimitReader(c.request.Body, maxBody+1))
	}
	return c.body, c.bodyErr
}

// object is the body, which must be one JSON object.
func (c *call) object() (*object, error) {
	body, err := c.readBody()
	if err != nil {
		return nil, invalid("", "the body cannot be read")
	}
	if len(body) > maxBody {
		return nil, &problem{status: http.StatusRequestEntityTooLarge, message: "the body is larger than 1 MiB"}
	}
	if err := c.jsonContent(); len(body) > 0 && err != nil {
		return nil, err
	}
	return parseObject(body)
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
