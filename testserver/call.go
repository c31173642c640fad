package testserver

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"
)

// maxBody is the maximum size of a request body in bytes. Larger bodies are
// refused with 413.
const maxBody = 1 << 20

// call is the state of one request while the server processes it.
type call struct {
	server        *Server
	request       *http.Request
	endpoint      *endpoint
	values        map[string]string // path parameters by name
	path          string            // percent-encoded, without the base path
	key           string            // key of the object that the path names, or of its parent
	problem       error             // set if the path is unknown or has an invalid parameter
	body          []byte            // at most maxBody+1 bytes
	bodyErr       error
	account       account
	operation     string
	time          time.Time // time of arrival
	quirk         *variant  // quirks of this response; nil if quirks are off
	effect        *Fault    // fault that changes what the call reads or returns; nil if there is none
	applied       bool      // the effect changed the response
	prefix        string    // id prefix of the object to create
	created       string    // key of the object that the call created
	labelsOmitted bool      // the request updates a tunnel group backend without labels
	direct        bool      // out-of-band: no limits, faults, quirks and log
	inFlight      bool      // counted in Stats.InFlight
	force         bool      // skip the validation rules for new objects, and allow deletion of objects in use
	tx            *tx
}

// newCall finds the endpoint of a request. escapedPath is the path without the
// base path.
func (s *Server) newCall(r *http.Request, escapedPath string) *call {
	now := s.now()
	c := &call{server: s, request: r, path: escapedPath, time: now, operation: s.ids.next("op_", now)}
	c.endpoint, c.values, c.problem = s.routes.find(escapedPath)
	c.key = c.endpoint.key(c.values)
	return c
}

// begin counts the call as in flight.
func (c *call) begin() {
	c.inFlight = true
	c.server.inFlight.Add(1)
}

// end is the opposite of begin. A second end does nothing.
func (c *call) end() {
	if c.inFlight {
		c.inFlight = false
		c.server.inFlight.Add(-1)
	}
}

// newID returns the id for the object to create.
func (c *call) newID() string {
	return c.server.ids.next(c.prefix, c.time)
}

// base returns the base URL as the client sees it.
func (c *call) base() string {
	switch s := c.server; {
	case s.publicURL != "":
		return s.publicURL
	case c.direct && s.URL != "":
		return s.URL
	case s.Certificate != "":
		return "https://" + c.request.Host + s.basePath
	default:
		return "http://" + c.request.Host + s.basePath
	}
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
	if err := c.jsonContent(); len(c.body) > 0 && !c.direct && err != nil {
		return nil, err
	}
	if c.quirk != nil && c.request.Method != http.MethodPost && len(bytes.TrimSpace(c.body)) == 0 {
		return map[string]any{}, nil
	}
	values, err := parseBody(c.body)
	if err != nil {
		return nil, err
	}
	return values, c.dropIgnored(values)
}

// dropIgnored removes members that public clients send although they set
// nothing: fields of the response that are null, and ids of the path. It
// returns an error if such an id differs from the path.
func (c *call) dropIgnored(values map[string]any) error {
	for name, id := range c.values {
		if given := values[name]; given != nil && given != id {
			return invalid(name, "%s differs from the %s in the path", name, name)
		}
		delete(values, name)
	}
	operation := document().Paths.Value(c.endpoint.pattern).GetOperation(c.request.Method)
	sent := operation.RequestBody.Value.Content[jsonType].Schema.Value.Properties
	for _, status := range []int{http.StatusOK, http.StatusCreated} {
		response := operation.Responses.Status(status)
		if response == nil {
			continue
		}
		for name := range response.Value.Content[jsonType].Schema.Value.Properties {
			if value, given := values[name]; given && value == nil && sent[name] == nil {
				delete(values, name)
			}
		}
	}
	return nil
}

func (c *call) jsonContent() error {
	kind, _, err := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	if err == nil && kind == "application/json" {
		return nil
	}
	return &problem{status: http.StatusUnsupportedMediaType, message: "invalid Content-Type header: expected application/json"}
}

// write runs work as one transaction: either all changes are stored durably, or
// none.
func (c *call) write(work func() error) error {
	err := c.server.store.update(func(tx *tx) error {
		c.tx = tx
		return work()
	})
	var refused *problem
	if err != nil && !errors.As(err, &refused) {
		c.server.log.Error("store", "error", err)
		return &problem{status: http.StatusInternalServerError, message: "could not store the change"}
	}
	return err
}
