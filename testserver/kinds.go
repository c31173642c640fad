package testserver

import "sync"

// kinds are all kinds of objects and modules, as the API documents them, and
// then those that it only refers to.
var kinds = []objectKind{
	objectsIn(sshHostCertificateTable, (*service).sshHostCertificates),
	objectsIn(sshCredentialTable, (*service).sshCredentials),
	objectsIn(tlsCertificateTable, (*service).tlsCertificates),
	objectsIn(failoverBackendTable, (*service).failoverBackends),
	objectsIn(tunnelGroupBackendTable, (*service).tunnelGroupBackends),
	objectsIn(eventSourceTable, (*service).eventSources),

	objectsIn(sshCertificateAuthorityTable, (*service).sshCertificateAuthorities),
	objectsIn(httpResponseBackendTable, (*service).httpResponseBackends),
	objectsIn(tlsEdgeTable, func(s *service) collection[*edge] { return s.edges("tls") }),
	objectsIn(tcpEdgeTable, func(s *service) collection[*edge] { return s.edges("tcp") }),
	objectsIn(httpsEdgeTable, (*service).httpsEdges),
	objectsIn(httpsEdgeRouteTable, (*service).httpsEdgeRoutes),
	objectsIn(eventSubscriptionTable, (*service).eventSubscriptions),
	objectsIn(reservedDomainTable, (*service).reservedDomains),
	objectsIn(reservedAddressTable, (*service).reservedAddresses),

	moduleOf(func(s *service) module[*edge, policy] { return s.edgePolicy("tls") }),
	moduleOf(func(s *service) module[*edge, policy] { return s.edgePolicy("tcp") }),
	moduleOf(func(s *service) module[*edge, edgeBackend] { return s.edgeBackend("tls") }),
	moduleOf(func(s *service) module[*edge, edgeBackend] { return s.edgeBackend("tcp") }),
	moduleOf((*service).routeBackend),
	moduleOf(func(s *service) module[*httpsEdgeRoute, toggle] { return s.routeToggle("websocket_tcp_converter") }),
	moduleOf(func(s *service) module[*httpsEdgeRoute, toggle] { return s.routeToggle("compression") }),
}

// service is what the kinds need of a server.
type service struct {
	store           *objectStore
	requireReserved bool // edges accept only reserved domains and addresses
}

// newService returns the service whose objects are in a store.
func newService(store *objectStore, requireReserved bool) *service {
	return &service{store, requireReserved}
}

// endpoints returns all endpoints of the API.
func (s *service) endpoints() routes {
	var all routes
	for _, kind := range kinds {
		all = append(all, kind.endpoints(s)...)
	}
	return all
}

// apiRoutes are the endpoints of the API without a server.
var apiRoutes = sync.OnceValue(func() routes { return new(service).endpoints() })

// objectKind is one kind of object or module.
type objectKind struct {
	open      func(*objectStore) // creates its table
	endpoints func(*service) []*endpoint
	naming    func(*service) naming
}

// naming are the names of a collection; zero for a module.
type naming struct{ path, field, noun, prefix string }

// namings returns the names of all collections.
func namings() []naming {
	var all []naming
	for _, kind := range kinds {
		if names := kind.naming(new(service)); names != (naming{}) {
			all = append(all, names)
		}
	}
	return all
}

func objectsIn[T item](table tableOf[T], of func(*service) collection[T]) objectKind {
	return objectKind{
		open:      table.open,
		endpoints: func(s *service) []*endpoint { return of(s).endpoints() },
		naming: func(s *service) naming {
			k := of(s)
			return naming{k.path, k.field, k.noun, k.prefix}
		},
	}
}

func moduleOf[P item, M any](of func(*service) module[P, M]) objectKind {
	return objectKind{
		open:      func(*objectStore) {},
		endpoints: func(s *service) []*endpoint { return []*endpoint{of(s).endpoint()} },
		naming:    func(*service) naming { return naming{} },
	}
}

// openTables creates the tables of all kinds in a store.
func openTables(store *objectStore) {
	for _, kind := range kinds {
		kind.open(store)
	}
}
