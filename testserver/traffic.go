package testserver

import (
	"net/http"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/plane"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// TrafficDecision is what a client sees, and why.
type TrafficDecision = traffic.Decision

// Decide returns what a data plane with these objects does with a request, such as
// "https://www.example.com/api from 192.0.2.7", "tls://app.example.com" or
// "tcp://5.tcp.example.com:20123", if tunnels with these labels are open.
func (s *Server) Decide(request string, tunnels ...map[string]string) (TrafficDecision, error) {
	parsed, err := traffic.ParseRequest(request)
	if err != nil {
		return TrafficDecision{}, err
	}
	return s.Recorded().Follow([]traffic.Request{parsed}, s.World(tunnels))[0].After, nil
}

// Record records the objects until stop is called.
func (s *Server) Record() (recording *traffic.Recording, stop func()) {
	return traffic.Record(s.api.Store)
}

// Recorded returns a recording of this moment.
func (s *Server) Recorded() *traffic.Recording {
	recording, stop := s.Record()
	stop()
	return recording
}

// World returns what decisions depend on besides the objects, if tunnels with these
// labels are open. If they are nil, these are the tunnels of the SSH gateway, or without
// one, a tunnel for each tunnel group.
func (s *Server) World(tunnels []map[string]string) traffic.World {
	if p := s.plane.Load(); p != nil && tunnels == nil && p.SSH != "" {
		return p.World()
	}
	if tunnels == nil {
		for _, group := range s.List("/backends/tunnel_group") {
			given, _ := group["labels"].(map[string]any)
			labels := map[string]string{}
			for name, value := range given {
				labels[name], _ = value.(string)
			}
			tunnels = append(tunnels, labels)
		}
	}
	return traffic.World{Tunnels: tunnels, Now: s.api.Now(), Off: s.behavior.Off()}
}

// TrafficSettings say what [Server.OpenTraffic] opens.
type TrafficSettings = plane.Settings

// Traffic is what is open, with its addresses. Close ends it.
type Traffic = plane.Plane

// OpenTraffic lets traffic flow until the result is closed: edges serve connections, SSH
// clients open tunnels, and destinations get events, as the settings say.
func (s *Server) OpenTraffic(settings TrafficSettings) (*Traffic, error) {
	p, err := plane.Start(settings, s.api, s.service, s.behavior.Off)
	if err != nil {
		return nil, err
	}
	s.plane.Store(p)
	return p, nil
}

// controlConnections returns what is open, and the newest connections and events.
func (s *Server) controlConnections(c *engine.Call) (*engine.Answer, error) {
	var state plane.State
	if p := s.plane.Load(); p != nil {
		state = p.State()
	}
	return s.success(c, http.StatusOK, state), nil
}

// controlTraffic decides about the request in the query.
func (s *Server) controlTraffic(c *engine.Call) (*engine.Answer, error) {
	query, err := c.Query("request")
	if err != nil {
		return nil, err
	}
	decided, err := s.Decide(query.Get("request"))
	if err != nil {
		return nil, problem.Invalid("request", "%v", err)
	}
	return s.success(c, http.StatusOK, decided), nil
}
