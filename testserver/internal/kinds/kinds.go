// Package kinds contains the kinds of objects and modules of the API, one file
// for each, and the list of all. It uses engine, store, body, keys and problem.
// Behaviors (other than whether one is on for a call) and the server must stay out.
// reserved_address.go is the shortest example of a kind.
package kinds

import (
	"slices"
	"sync"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// objects are all kinds of objects, in an order in which they can be created: a
// certificate needs its authority.
var objects = []objectKind{
	objectsIn(sshCertificateAuthorityTable, sshCertificateAuthorities),
	objectsIn(sshHostCertificateTable, sshHostCertificates),
	objectsIn(sshCredentialTable, sshCredentials),
	objectsIn(tlsCertificateTable, tlsCertificates),
	objectsIn(failoverBackendTable, failoverBackends),
	objectsIn(tunnelGroupBackendTable, tunnelGroupBackends),
	objectsIn(httpResponseBackendTable, httpResponseBackends),
	objectsIn(eventSourceTable, eventSources),
	objectsIn(tlsEdgeTable, func(s *Service) engine.Collection[*edge] { return edges(s, "tls") }),
	objectsIn(tcpEdgeTable, func(s *Service) engine.Collection[*edge] { return edges(s, "tcp") }),
	objectsIn(httpsEdgeTable, httpsEdges),
	objectsIn(httpsEdgeRouteTable, httpsEdgeRoutes),
	objectsIn(eventDestinationTable, eventDestinations),
	objectsIn(eventSubscriptionTable, eventSubscriptions),
	objectsIn(reservedDomainTable, reservedDomains),
	objectsIn(reservedAddressTable, reservedAddresses),
	objectsIn(botUserTable, botUsers),
	objectsIn(apiKeyTable, apiKeys),
	objectsIn(ipPolicyTable, ipPolicies),
	objectsIn(ipPolicyRuleTable, ipPolicyRules),
}

// modules returns all modules.
func (s *Service) modules() []module {
	tls, tcp, routes := edges(s, "tls"), edges(s, "tcp"), httpsEdgeRoutes(s)
	return []module{
		edgePolicy(s, tls), edgePolicy(s, tcp),
		backendOf(s, tls, func(e *edge) **edgeBackend { return &e.Backend }),
		backendOf(s, tcp, func(e *edge) **edgeBackend { return &e.Backend }),
		backendOf(s, routes, func(r *httpsEdgeRoute) **edgeBackend { return &r.Backend }),
		restrictionOf(s, tls, func(e *edge) **ipRestriction { return &e.IPRestriction }),
		restrictionOf(s, tcp, func(e *edge) **ipRestriction { return &e.IPRestriction }),
		restrictionOf(s, routes, func(r *httpsEdgeRoute) **ipRestriction { return &r.IPRestriction }),
		routeToggle(routes, "websocket_tcp_converter"), routeToggle(routes, "compression"),
	}
}

// Service is what the kinds need of a server. No method returns a collection: a package
// that imports the test server would compile all their generic code again.
type Service struct{ store *store.Store }

// NewService returns the service whose objects are in a store.
func NewService(store *store.Store) *Service { return &Service{store} }

// Endpoints returns all endpoints of the API.
func (s *Service) Endpoints() engine.Routes {
	var all engine.Routes
	for _, kind := range objects {
		all = append(all, kind.of(s).Endpoints()...)
	}
	for _, module := range s.modules() {
		all = append(all, module.Endpoint())
	}
	return all
}

// Routes are the endpoints of the API without a server.
var Routes = sync.OnceValue(func() engine.Routes { return new(Service).Endpoints() })

// objectKind is one kind of object.
type objectKind struct {
	table string
	open  func(*store.Store) // creates the table
	of    func(*Service) collection
}

type collection interface {
	Kind() engine.Kind
	Endpoints() []*engine.Endpoint
	ChangedAfter(version uint64) []engine.Summary // of the store
	Each(*engine.Call, func(shown any))
	ShowStored(c *engine.Call, stored any) (shown any)
}

type module interface {
	Endpoint() *engine.Endpoint
	NoteOn(*engine.Summary)
}

func objectsIn[T store.Item](table store.TableOf[T], of func(*Service) engine.Collection[T]) objectKind {
	return objectKind{string(table), table.Open, func(s *Service) collection { return of(s) }}
}

// Collections describes all kinds of objects.
func Collections() (all []engine.Kind) {
	for _, kind := range objects {
		all = append(all, kind.of(new(Service)).Kind())
	}
	return all
}

// Roots describes the kinds without a parent, in an order in which their objects can be
// created.
func Roots() []engine.Kind {
	return slices.DeleteFunc(Collections(), func(kind engine.Kind) bool { return kind.Parent != "" })
}

// Each shows all objects of the kinds without a parent, in an order in which they can be
// created. Those of a kind begin with the oldest.
func (s *Service) Each(c *engine.Call, use func(path string, shown any)) {
	for _, kind := range objects {
		if of := kind.of(s); of.Kind().Parent == "" {
			of.Each(c, func(shown any) { use(of.Kind().Path, shown) })
		}
	}
}

// OpenTables creates the tables of all kinds in a store.
func OpenTables(store *store.Store) {
	for _, kind := range objects {
		kind.open(store)
	}
	tunnelTable.OpenTransient(store)
}
