package testserver

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// heldWait is how long a request for the held requests waits by default, and maxHeldWait
// at most.
const (
	heldWait    = 30 * time.Second
	maxHeldWait = 5 * time.Minute
)

// controlHeld returns the requests that are held. If there are none, it waits for one.
func (s *Server) controlHeld(c *engine.Call) (*engine.Answer, error) {
	query, err := c.Query("wait")
	if err != nil {
		return nil, err
	}
	wait := heldWait
	if query.Has("wait") {
		if wait, err = time.ParseDuration(query.Get("wait")); err != nil || wait < 0 || wait > maxHeldWait {
			return nil, problem.Invalid("wait", "invalid wait: expected a duration from 0s to %s, such as 10s", maxHeldWait)
		}
	}
	ctx, cancel := context.WithTimeout(c.Request.Context(), wait)
	defer cancel()
	held := s.Held(ctx)
	if held == nil {
		held = []HeldRequest{}
	}
	return s.success(c, http.StatusOK, map[string]any{"held": held}), nil
}

// controlRelease releases the held request whose number the path has, or all.
func (s *Server) controlRelease(c *engine.Call) (*engine.Answer, error) {
	text, one := strings.CutPrefix(c.Request.URL.Path, controlPath+"held/")
	if !one {
		return s.success(c, http.StatusOK, map[string]int{"released": s.Release()}), nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || s.Release(number) == 0 {
		return nil, problem.NotFound("held request", text)
	}
	return s.success(c, http.StatusOK, map[string]int{"released": 1}), nil
}
