package testserver

import (
	"net/http"
	"strings"
)

// controlPath is the path prefix of the control endpoints. They are not part of
// the API, require an admin key, and are never counted, limited, delayed or
// faulted.
const controlPath = "/_testserver/"

// controlHandler handles a control request.
type controlHandler func(*call) (*answer, error)

// controlEndpoint returns the handlers of a path by method, or nil if the path
// is unknown.
func (s *Server) controlEndpoint(path string) map[string]controlHandler {
	name := strings.TrimPrefix(path, controlPath)
	if strings.HasPrefix(name, "objects/") {
		return map[string]controlHandler{
			http.MethodGet: s.controlObjects, http.MethodPost: s.controlObjects, http.MethodPut: s.controlObjects,
			http.MethodPatch: s.controlObjects, http.MethodDelete: s.controlObjects,
		}
	}
	return map[string]map[string]controlHandler{
		"stats":        {http.MethodGet: s.controlStats},
		"requests":     {http.MethodGet: s.controlRequests},
		"openapi.yaml": {http.MethodGet: s.controlOpenAPI},
		"reset":        {http.MethodPost: s.controlReset},
		"faults":       {http.MethodPost: s.controlFaults},
	}[name]
}

func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	c := s.api.newDirectCall(r, "", nil)
	c.readBody(w)
	a, err := s.control(c)
	if err != nil {
		a = s.api.encode(c, nil, err)
	}
	a.send(w)
}

func (s *Server) control(c *call) (*answer, error) {
	caller, known := s.api.caller(c.request)
	methods := s.controlEndpoint(c.request.URL.EscapedPath())
	switch {
	case !known:
		return nil, &problem{status: http.StatusUnauthorized, message: "missing or invalid API key: the control endpoints require an admin key"}
	case !caller.admin:
		return nil, &problem{status: http.StatusForbidden, message: "the control endpoints require an admin key"}
	case methods == nil:
		return nil, unknownPath()
	}
	handler, err := methodOf(methods, c.request.Method)
	if err != nil {
		return nil, err
	}
	return handler(c)
}

// controlObjects processes an out-of-band request without the validation rules
// for new objects.
func (s *Server) controlObjects(c *call) (*answer, error) {
	path := strings.TrimPrefix(c.request.URL.EscapedPath(), controlPath+"objects")
	return s.processOutOfBand(c.request, path, c.body, true), nil
}

func (s *Server) controlStats(c *call) (*answer, error) {
	return s.success(c, http.StatusOK, s.Stats()), nil
}

func (s *Server) success(c *call, status int, value any) *answer {
	return s.api.encode(c, &reply{status, value}, nil)
}

// controlOpenAPI returns the OpenAPI document.
func (s *Server) controlOpenAPI(*call) (*answer, error) {
	return &answer{status: http.StatusOK, header: http.Header{"Content-Type": {"application/yaml"}}, body: OpenAPI}, nil
}

// controlReset resets the server. The optional body is {"keep_objects": true}.
func (s *Server) controlReset(c *call) (*answer, error) {
	keep := false
	if len(c.body) > 0 {
		values, err := parseBody(c.body)
		if err != nil {
			return nil, err
		}
		in := newObject(values, false, false)
		flag := in.flag("keep_objects")
		keep = flag != nil && *flag
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
	return s.success(c, http.StatusNoContent, nil), nil
}

// controlFaults replaces the fault rules. The body is a list of rules, or an
// object with the list as "rules".
func (s *Server) controlFaults(c *call) (*answer, error) {
	rules, err := ParseFaults(c.body)
	if err == nil {
		err = s.injector.use(rules)
	}
	if err != nil {
		return nil, invalid("", "%v", err)
	}
	return s.success(c, http.StatusOK, map[string]int{"rules": len(rules)}), nil
}

// Reset restores the state at the start of the server: objects, counters, log,
// rate limit, faults and the quirk sequence. The parents and the objects of
// [Server.Seed] exist again with the same ids.
func (s *Server) Reset() {
	s.must(s.restore())
	s.resetCounters()
}

func (s *Server) restore() error {
	return s.api.store.restore(s.start)
}

func (s *Server) resetCounters() {
	s.ResetStats()
	s.SetFaults(s.startFaults...)
	s.limits.clear()
	if q := s.quirks.Load(); q != nil {
		s.quirks.Store(q.again())
	}
}
