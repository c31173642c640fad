package testserver

// toggle is a module of an HTTPS edge route that is on or off, see "HTTPS edge route module toggle" in the API
// documentation.
type toggle struct {
	Enabled bool `json:"enabled"`
}

func readToggle(in *object) (*toggle, error) {
	t := &toggle{Enabled: orOld(in.flag("enabled"), true)}
	return t, in.end()
}

func (s *Server) websocketConverter() module[*httpsEdgeRoute, toggle] {
	return s.routeModule("websocket_tcp_converter", func(r *httpsEdgeRoute) **toggle { return &r.WebsocketTCPConverter })
}

func (s *Server) compression() module[*httpsEdgeRoute, toggle] {
	return s.routeModule("compression", func(r *httpsEdgeRoute) **toggle { return &r.Compression })
}

// routeModule is the module that lies at a place of a route.
func (s *Server) routeModule(name string, place func(*httpsEdgeRoute) **toggle) module[*httpsEdgeRoute, toggle] {
	return module[*httpsEdgeRoute, toggle]{
		path:   "/edges/https/{edge_id}/routes/{id}/" + name,
		noun:   name + " module",
		parent: s.httpsEdgeRoutes().find,
		table:  s.data.httpsEdgeRoutes,
		read:   readToggle,
		of:     func(r *httpsEdgeRoute) *toggle { return *place(r) },
		with: func(r *httpsEdgeRoute, t *toggle) *httpsEdgeRoute {
			changed := *r
			*place(&changed) = t
			return &changed
		},
	}
}
