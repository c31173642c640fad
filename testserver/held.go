package testserver

import (
	"context"
	"net/http"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// heldWait is how long a request for the held requests waits at most.
const heldWait = 30 * time.Second

// controlHeld returns the requests that are held. If there are none, it waits for one.
func (s *Server) controlHeld(c *engine.Call) (*engine.Answer, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), heldWait)
	defer cancel()
	held := s.Held(ctx)
	if held == nil {
		held = []HeldRequest{}
	}
	return s.success(c, http.StatusOK, map[string]any{"held": held}), nil
}

// controlRelease releases the held requests.
func (s *Server) controlRelease(c *engine.Call) (*engine.Answer, error) {
	return s.success(c, http.StatusOK, map[string]int{"released": s.Release()}), nil
}
