package kinds

import (
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// toggle is a module of an HTTPS edge route that is enabled or disabled. See
// "HTTPS edge route module toggle" in the API documentation.
type toggle struct {
	Enabled bool `json:"enabled"`
}

// routeToggles contains the toggle modules of a route.
type routeToggles struct {
	Compression           *toggle `json:"compression"`
	WebsocketTCPConverter *toggle `json:"websocket_tcp_converter"`
}

// place returns the field for the module with the given name.
func (t *routeToggles) place(name string) **toggle {
	if name == "compression" {
		return &t.Compression
	}
	return &t.WebsocketTCPConverter
}

// readToggles reads the modules that a request to the route contains.
func (t *routeToggles) readToggles(in *body.Object) {
	for _, name := range []string{"compression", "websocket_tcp_converter"} {
		*t.place(name) = engine.Inline(in, name, *t.place(name), readToggle)
	}
}

func readToggle(in *body.Object) *toggle {
	return &toggle{Enabled: orExisting(in.Flag("enabled"), true)}
}

// routeToggle returns the module with the given name, "compression" or
// "websocket_tcp_converter".
func routeToggle(owner engine.Collection[*httpsEdgeRoute], name string) engine.Module[*httpsEdgeRoute, toggle] {
	return engine.Module[*httpsEdgeRoute, toggle]{
		Name: name, Noun: name + " module", Owner: owner, Read: readToggle, Place: func(r *httpsEdgeRoute) **toggle { return r.place(name) },
	}
}
