package testserver

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/page"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// controlPath is the path prefix of the control endpoints. They are not part of
// the API, require an admin key (except health and the page), and are never counted,
// limited, delayed or faulted.
const controlPath = "/_testserver/"

// healthPath is the control endpoint that needs no key.
const healthPath = controlPath + "health"

// controlHandler handles a control request.
type controlHandler func(*engine.Call) (*engine.Answer, error)

// controlEndpoint returns the handlers of a path by method. It returns a 404 if the path
// is unknown.
func (s *Server) controlEndpoint(path string) (map[string]controlHandler, error) {
	name := strings.TrimPrefix(path, controlPath)
	endpoints := map[string]map[string]controlHandler{
		"health":       {http.MethodGet: s.controlHealth},
		"export":       {http.MethodGet: s.controlExport},
		"traffic":      {http.MethodGet: s.controlTraffic},
		"connections":  {http.MethodGet: s.controlConnections},
		"stats":        {http.MethodGet: s.controlStats},
		"requests":     {http.MethodGet: s.controlRequests},
		"activity":     {http.MethodGet: s.controlActivity},
		"objects":      {http.MethodGet: s.controlOverview},
		"openapi.yaml": {http.MethodGet: s.controlOpenAPI},
		"clock":        {http.MethodGet: s.controlClock, http.MethodPost: s.controlSetClock},
		"reset":        {http.MethodPost: s.controlReset},
		"expect":       {http.MethodPost: s.controlExpect},
		"snapshots":    {http.MethodGet: s.controlSnapshots},
		"snapshots/":   {http.MethodPost: s.controlSnapshot, http.MethodDelete: s.controlSnapshot},
		"behavior":     {http.MethodGet: s.controlBehavior, http.MethodPost: s.controlSetBehavior},
		"held":         {http.MethodGet: s.controlHeld, http.MethodDelete: s.controlRelease},
		"objects/": {
			http.MethodGet: s.controlObjects, http.MethodPost: s.controlObjects, http.MethodPut: s.controlObjects,
			http.MethodPatch: s.controlObjects, http.MethodDelete: s.controlObjects,
		},
	}
	folder, _, below := strings.Cut(name, "/")
	if below {
		folder += "/"
	}
	if methods := endpoints[folder]; methods != nil {
		return methods, nil
	}
	unknown := problem.UnknownPath()
	unknown.Message += problem.Nearest(name, slices.Collect(maps.Keys(endpoints)))
	return nil, unknown
}

func (s *Server) serveControl(w http.ResponseWriter, r *http.Request) {
	c := s.api.NewDirectCall(r, "", nil)
	var a *engine.Answer
	err := s.checkHost(r)
	if r.URL.Path == healthPath {
		err = nil // says nothing
	}
	if err == nil && page.Serve(w, r, strings.TrimPrefix(r.URL.Path, controlPath)) {
		return
	}
	if err == nil {
		c.ReadBody(w)
		a, err = s.control(c)
	}
	if err != nil {
		a = s.api.Encode(c, nil, err)
	}
	a.Send(w)
}

func (s *Server) control(c *engine.Call) (*engine.Answer, error) {
	caller, known := s.api.Caller(c.Request)
	methods, unknown := s.controlEndpoint(c.Request.URL.EscapedPath())
	switch {
	case c.Request.URL.Path == healthPath:
	case !known:
		return nil, &problem.Problem{Status: http.StatusUnauthorized,
			Message: "missing or invalid API key: the control endpoints require an admin key"}
	case !caller.Admin:
		return nil, &problem.Problem{Status: http.StatusForbidden, Message: "the control endpoints require an admin key"}
	case unknown != nil:
		return nil, unknown
	}
	handler, err := engine.MethodOf(methods, c.Request.Method)
	if err == nil {
		err = c.CheckBody()
	}
	if err != nil {
		return nil, err
	}
	return handler(c)
}

// controlObjects processes an out-of-band request without the validation rules
// for new objects, and adds a change to the request log.
func (s *Server) controlObjects(c *engine.Call) (*engine.Answer, error) {
	path := strings.TrimPrefix(c.Request.URL.EscapedPath(), controlPath+"objects")
	a := s.processOutOfBand(c.Request, path, c.Body, true)
	if c.Request.Method != http.MethodGet && a.Status < http.StatusBadRequest {
		s.log.Note(c, a, "drift, "+c.Request.Method+" "+s.log.Path(path))
	}
	return a, nil
}

func (s *Server) controlStats(c *engine.Call) (*engine.Answer, error) {
	return s.success(c, http.StatusOK, s.Stats()), nil
}

func (s *Server) success(c *engine.Call, status int, value any) *engine.Answer {
	return s.api.Encode(c, &engine.Reply{Status: status, Value: value}, nil)
}

// controlOpenAPI returns the OpenAPI document.
func (s *Server) controlOpenAPI(*engine.Call) (*engine.Answer, error) {
	return &engine.Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/yaml"}}, Body: OpenAPI}, nil
}

// controlReset resets the server. The optional body is {"keep_objects": true}.
func (s *Server) controlReset(c *engine.Call) (*engine.Answer, error) {
	keep := false
	if len(c.Body) > 0 {
		in, err := body.Settings(c.Body)
		if err != nil {
			return nil, err
		}
		flag := in.Flag("keep_objects")
		keep = flag != nil && *flag
		if err := in.End(); err != nil {
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

// Reset restores the state at the start of the server: objects, clock, counters, log and
// behavior. Rate limits begin again. The parents and the objects of [Server.Seed] exist
// again with the same ids.
func (s *Server) Reset() {
	s.must(s.restore())
	s.resetCounters()
}

// restore restores the objects, and the clock with them: the objects that exist
// after it are older than both.
func (s *Server) restore() error {
	if err := s.api.Store.Restore(s.start); err != nil {
		return err
	}
	s.api.ResetClock()
	return nil
}

func (s *Server) resetCounters() {
	s.ResetStats()
	s.SetRules()
	if p := s.plane.Load(); p != nil {
		p.Forget()
	}
}
