// Package kinds contains the kinds of objects and modules of the API, one file
// for each, and the list of all. It uses engine, store, body, keys and problem.
// Behaviors (other than whether one is on for a call) and the server must stay out.
// reserved_address.go is the shortest example of a kind.
package kinds

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// kinds are all kinds of objects and modules, as the API documents them, and
// then those that it only refers to.
var kinds = []objectKind{
	objectsIn(sshHostCertificateTable, (*Service).sshHostCertificates),
	objectsIn(sshCredentialTable, (*Service).sshCredentials),
	objectsIn(tlsCertificateTable, (*Service).tlsCertificates),
	objectsIn(failoverBackendTable, (*Service).failoverBackends),
	objectsIn(tunnelGroupBackendTable, (*Service).tunnelGroupBackends),
	objectsIn(eventSourceTable, (*Service).eventSources),

	objectsIn(sshCertificateAuthorityTable, (*Service).sshCertificateAuthorities),
	objectsIn(httpResponseBackendTable, (*Service).httpResponseBackends),
	objectsIn(tlsEdgeTable, func(s *Service) engine.Collection[*edge] { return s.edges("tls") }),
	objectsIn(tcpEdgeTable, func(s *Service) engine.Collection[*edge] { return s.edges("tcp") }),
	objectsIn(httpsEdgeTable, (*Service).httpsEdges),
	objectsIn(httpsEdgeRouteTable, (*Service).httpsEdgeRoutes),
	objectsIn(eventDestinationTable, (*Service).eventDestinations),
	objectsIn(eventSubscriptionTable, (*Service).eventSubscriptions),
	objectsIn(reservedDomainTable, (*Service).reservedDomains),
	objectsIn(reservedAddressTable, (*Service).reservedAddresses),
	objectsIn(botUserTable, (*Service).botUsers),
	objectsIn(apiKeyTable, (*Service).apiKeys),
	objectsIn(ipPolicyTable, (*Service).ipPolicies),
	objectsIn(ipPolicyRuleTable, (*Service).ipPolicyRules),
	openTunnels(),

	moduleOf(func(s *Service) engine.Module[*edge, policy] { return s.edgePolicy("tls") }),
	moduleOf(func(s *Service) engine.Module[*edge, policy] { return s.edgePolicy("tcp") }),
	moduleOf(func(s *Service) engine.Module[*edge, edgeBackend] { return s.edgeBackend("tls") }),
	moduleOf(func(s *Service) engine.Module[*edge, edgeBackend] { return s.edgeBackend("tcp") }),
	moduleOf((*Service).routeBackend),
	moduleOf(func(s *Service) engine.Module[*edge, ipRestriction] { return s.edgeRestriction("tls") }),
	moduleOf(func(s *Service) engine.Module[*edge, ipRestriction] { return s.edgeRestriction("tcp") }),
	moduleOf((*Service).routeRestriction),
	moduleOf(func(s *Service) engine.Module[*httpsEdgeRoute, toggle] {
		return s.routeToggle("websocket_tcp_converter")
	}),
	moduleOf(func(s *Service) engine.Module[*httpsEdgeRoute, toggle] { return s.routeToggle("compression") }),
}

// Service is what the kinds need of a server.
type Service struct{ store *store.Store }

// NewService returns the service whose objects are in a store.
func NewService(store *store.Store) *Service { return &Service{store} }

// Endpoints returns all endpoints of the API.
func (s *Service) Endpoints() engine.Routes {
	var all engine.Routes
	for _, kind := range kinds {
		all = append(all, kind.endpoints(s)...)
	}
	return all
}

// Routes are the endpoints of the API without a server.
var Routes = sync.OnceValue(func() engine.Routes { return new(Service).Endpoints() })

// objectKind is one kind of object or module.
type objectKind struct {
	open      func(*store.Store) // creates its table
	endpoints func(*Service) []*engine.Endpoint
	naming    func(*Service) Names
	kind      func(*Service) engine.Kind              // zero for a module
	changed   func(*Service, uint64) []engine.Summary // objects after a version; none for a module
	noteOn    func(*Service) func(*engine.Summary)    // notes a module on its owner; nil for objects

	table string                                // empty for a module
	show  func(*Service, *engine.Call, any) any // returns what the API shows of a stored object; nil if it is not in the API
}

// Names are the names of a collection; zero for a module.
type Names struct{ Path, Field, Noun, Prefix string }

// Collections returns the names of all collections.
func Collections() []Names {
	var all []Names
	for _, kind := range kinds {
		if names := kind.naming(new(Service)); names != (Names{}) {
			all = append(all, names)
		}
	}
	return all
}

// Roots returns the names of the collections without a parent, in an order in which
// their objects can be created: a certificate needs its authority.
func Roots() []Names {
	roots := slices.DeleteFunc(Collections(), func(n Names) bool { return strings.Contains(n.Path, "{") })
	slices.SortStableFunc(roots, func(a, b Names) int {
		return cmp.Compare(strings.Count(b.Path, "authorities"), strings.Count(a.Path, "authorities"))
	})
	return roots
}

func objectsIn[T store.Item](table store.TableOf[T], of func(*Service) engine.Collection[T]) objectKind {
	return objectKind{
		open:      table.Open,
		endpoints: func(s *Service) []*engine.Endpoint { return of(s).Endpoints() },
		naming: func(s *Service) Names {
			k := of(s)
			return Names{k.Path, k.Field, k.Noun, k.Prefix}
		},
		kind:    func(s *Service) engine.Kind { return of(s).Kind() },
		changed: func(s *Service, version uint64) []engine.Summary { return of(s).ChangedAfter(version) },
		table:   string(table),
		show:    func(s *Service, c *engine.Call, value any) any { return of(s).Show(c, value.(T)) },
	}
}

// openTunnels is the kind of tunnels, which has no endpoints.
func openTunnels() objectKind {
	kind := objectsIn(tunnelTable, (*Service).tunnels)
	kind.open, kind.show = tunnelTable.OpenTransient, nil
	kind.endpoints = func(*Service) []*engine.Endpoint { return nil }
	kind.naming = func(*Service) Names { return Names{} }
	return kind
}

func moduleOf[P store.Item, M any](of func(*Service) engine.Module[P, M]) objectKind {
	return objectKind{
		open:      func(*store.Store) {},
		endpoints: func(s *Service) []*engine.Endpoint { return []*engine.Endpoint{of(s).Endpoint()} },
		naming:    func(*Service) Names { return Names{} },
		kind:      func(*Service) engine.Kind { return engine.Kind{} },
		changed:   func(*Service, uint64) []engine.Summary { return nil },
		noteOn:    func(s *Service) func(*engine.Summary) { return of(s).NoteOn },
	}
}

// OpenTables creates the tables of all kinds in a store.
func OpenTables(store *store.Store) {
	for _, kind := range kinds {
		kind.open(store)
	}
}
