package testserver

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// controlPath is where the control endpoints are: outside the API, for admins only. They are never counted, limited,
// delayed or faulted.
const controlPath = "/_testserver/"

func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	now := s.now()
	c := &call{server: s, request: r, endpoint: s.controlEndpoint(r.URL.Path), time: now, operation: s.ids.next("op_", now)}
	reply, err := s.control(c)
	s.encode(c, reply, err).send(w)
}

func (s *Server) control(c *call) (*reply, error) {
	caller, known := s.caller(c.request)
	switch {
	case !known:
		return nil, &problem{status: http.StatusUnauthorized, message: "the control endpoints need an admin key"}
	case !caller.admin:
		return nil, &problem{status: http.StatusForbidden, message: "the control endpoints are for admins"}
	case c.endpoint == unknownEndpoint:
		return nil, unknownPath()
	}
	handler, err := c.endpoint.method(c.request.Method)
	if err != nil {
		return nil, err
	}
	return handler(c)
}

func (s *Server) controlEndpoint(path string) *endpoint {
	switch path {
	case controlPath + "stats":
		return newEndpoint(path, map[string]handler{http.MethodGet: func(*call) (*reply, error) { return ok(s.Stats()) }})
	case controlPath + "reset":
		return newEndpoint(path, map[string]handler{http.MethodPost: s.controlReset})
	case controlPath + "faults":
		return newEndpoint(path, map[string]handler{http.MethodPost: s.controlFaults})
	}
	return unknownEndpoint
}

// controlReset takes an optional body {"keep_objects": true}.
func (s *Server) controlReset(c *call) (*reply, error) {
	body, err := c.readBody()
	if err != nil {
		return nil, invalid("", "the body cannot be read")
	}
	keep := false
	if len(body) > 0 {
		in, err := parseObject(body)
		if err != nil {
			return nil, err
		}
		keep = orOld(in.flag("keep_objects"), false)
		if err := in.end(); err != nil {
			return nil, err
		}
	}
	if !keep {
		if err := s.restore(); err != nil {
			return nil, err
		}
	}
	s.resetCounters()
	return gone()
}

// controlFaults takes a list of rules, or an object with it as rules.
func (s *Server) controlFaults(c *call) (*reply, error) {
	body, err := c.readBody()
	if err != nil || len(body) > maxBody {
		return nil, invalid("", "the body cannot be read")
	}
	rules, err := ParseFaults(body)
	if err != nil {
		return nil, invalid("", "%v", err)
	}
	if err := s.useFaults(rules); err != nil {
		return nil, invalid("", "%v", err)
	}
	return ok(map[string]int{"rules": len(rules)})
}

// Reset goes back to the state in which the server started: objects, counters, log, rate limit, faults and the sequence of
// the quirks. The parents are there again, with the same ids.
func (s *Server) Reset() {
	s.must(s.restore())
	s.resetCounters()
}

func (s *Server) restore() error {
	return s.store.restore(s.start)
}

func (s *Server) resetCounters() {
	s.ResetStats()
	s.SetFaults(s.startFault...)
	if s.window != nil {
		s.window.clear()
	}
	if q := s.quirks.Load(); q != nil {
		s.SetQuirks(q.seed)
	}
}

// strictJSON decodes data into value; unknown fields and trailing data are errors.
func strictJSON(data io.Reader, value any) error {
	decoder := json.NewDecoder(data)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON value")
	}
	return nil
}
