package testserver

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
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
	account := traffic.NewAccount()
	s.api.Store.Watch(func(all []store.Change) { account.Apply(all) })()
	return account.Decide(parsed, s.World(tunnels)), nil
}

// Record records the objects until stop is called.
func (s *Server) Record() (recording *traffic.Recording, stop func()) {
	return traffic.Record(s.api.Store)
}

// World returns what decisions depend on besides the objects, if tunnels with these
// labels are open.
func (s *Server) World(tunnels []map[string]string) traffic.World {
	return traffic.World{Tunnels: tunnels, Now: s.api.Now(), Off: s.behavior.Off()}
}
