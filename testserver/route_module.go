package testserver

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
func (t *routeToggles) readToggles(in *object) {
	for _, name := range []string{"compression", "websocket_tcp_converter"} {
		*t.place(name) = inline(in, name, *t.place(name), readToggle)
	}
}

func readToggle(in *object) *toggle {
	return &toggle{Enabled: orExisting(in.flag("enabled"), true)}
}

// routeToggle returns the module with the given name, "compression" or
// "websocket_tcp_converter".
func (s *service) routeToggle(name string) module[*httpsEdgeRoute, toggle] {
	return module[*httpsEdgeRoute, toggle]{
		name:  name,
		noun:  name + " module",
		owner: s.httpsEdgeRoutes(),
		read:  readToggle,
		place: func(r *httpsEdgeRoute) **toggle { return r.place(name) },
		clone: copyOf[httpsEdgeRoute],
		view:  stored[toggle],
	}
}
