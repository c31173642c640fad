package testserver

// kinds are all kinds of objects and modules, as the API documents them, and
// then those that it only refers to.
var kinds = []objectKind{
	objectsIn(sshHostCertificateTable, (*Server).sshHostCertificates),
	objectsIn(sshCredentialTable, (*Server).sshCredentials),
	objectsIn(tlsCertificateTable, (*Server).tlsCertificates),
	objectsIn(failoverBackendTable, (*Server).failoverBackends),
	objectsIn(tunnelGroupBackendTable, (*Server).tunnelGroupBackends),
	objectsIn(eventSourceTable, (*Server).eventSources),

	objectsIn(sshCertificateAuthorityTable, (*Server).sshCertificateAuthorities),
	objectsIn(httpResponseBackendTable, (*Server).httpResponseBackends),
	objectsIn(tlsEdgeTable, func(s *Server) collection[*edge] { return s.edges("tls") }),
	objectsIn(tcpEdgeTable, func(s *Server) collection[*edge] { return s.edges("tcp") }),
	objectsIn(httpsEdgeTable, (*Server).httpsEdges),
	objectsIn(httpsEdgeRouteTable, (*Server).httpsEdgeRoutes),
	objectsIn(eventSubscriptionTable, (*Server).eventSubscriptions),
	objectsIn(reservedDomainTable, (*Server).reservedDomains),
	objectsIn(reservedAddressTable, (*Server).reservedAddresses),

	moduleOf(func(s *Server) module[*edge, policy] { return s.edgePolicy("tls") }),
	moduleOf(func(s *Server) module[*edge, policy] { return s.edgePolicy("tcp") }),
	moduleOf(func(s *Server) module[*edge, edgeBackend] { return s.edgeBackend("tls") }),
	moduleOf(func(s *Server) module[*edge, edgeBackend] { return s.edgeBackend("tcp") }),
	moduleOf((*Server).routeBackend),
	moduleOf(func(s *Server) module[*httpsEdgeRoute, toggle] { return s.routeToggle("websocket_tcp_converter") }),
	moduleOf(func(s *Server) module[*httpsEdgeRoute, toggle] { return s.routeToggle("compression") }),
}

// objectKind is one kind of object or module.
type objectKind struct {
	open      func(*Store) // creates its table
	endpoints func(*Server) []*endpoint
	naming    func(*Server) naming
}

// naming are the names of a collection; zero for a module.
type naming struct{ path, field, noun, prefix string }

func objectsIn[T item](table tableOf[T], of func(*Server) collection[T]) objectKind {
	return objectKind{
		open:      table.open,
		endpoints: func(s *Server) []*endpoint { return of(s).endpoints() },
		naming: func(s *Server) naming {
			k := of(s)
			return naming{k.path, k.field, k.noun, k.prefix}
		},
	}
}

func moduleOf[P item, M any](of func(*Server) module[P, M]) objectKind {
	return objectKind{
		open:      func(*Store) {},
		endpoints: func(s *Server) []*endpoint { return []*endpoint{of(s).endpoint()} },
		naming:    func(*Server) naming { return naming{} },
	}
}

// openTables creates all tables in a store.
func openTables(store *Store) {
	originTable.open(store)
	for _, kind := range kinds {
		kind.open(store)
	}
}
