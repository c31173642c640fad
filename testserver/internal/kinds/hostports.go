package kinds

import (
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// hostports reads the list of hosts and ports that an edge serves. protocol is
// "tls", "tcp" or "https".
func (s *Service) hostports(c *engine.Call, protocol string, in *body.Object) []string {
	given := in.Texts("hostports")
	var taken map[string]string
	if c.Behaves("require_reserved") || c.Behaves("unique_hostports") {
		taken = s.takenBy(c.Key)
	}
	for i, hostport := range given {
		edge := taken[strings.ToLower(hostport)]
		at := body.Element("hostports", i)
		valid := keys.ValidHostport(hostport)
		in.Rule(valid, at, "invalid host and port %s: expected a value such as www.example.com:443", problem.Printable(hostport))
		in.Rule(edge == "", at, "%s belongs to the edge %s", problem.Printable(hostport), edge)
		if valid && c.Behaves("require_reserved") {
			const expected = "%s is not reserved: expected a reserved address, or a host of a reserved domain with port 443"
			in.Rule(s.isReserved(protocol, hostport), at, expected, problem.Printable(hostport))
		}
	}
	return given
}

// eachEdge calls use with the hostports of each edge.
func (s *Service) eachEdge(use func(id, protocol string, hostports []string)) {
	for _, e := range tlsEdgeTable.In(s.store).All() {
		use(e.ID, "tls", e.Hostports)
	}
	for _, e := range tcpEdgeTable.In(s.store).All() {
		use(e.ID, "tcp", e.Hostports)
	}
	for _, e := range httpsEdgeTable.In(s.store).All() {
		use(e.ID, "https", e.Hostports)
	}
}

// takenBy returns the edges other than one, by their hostports.
func (s *Service) takenBy(other string) map[string]string {
	taken := map[string]string{}
	s.eachEdge(func(id, _ string, hostports []string) {
		for _, hostport := range hostports {
			if id != other {
				taken[strings.ToLower(hostport)] = id
			}
		}
	})
	return taken
}

// isReserved reports whether an edge can serve a hostport: a reserved address,
// or a host of a reserved domain with port 443.
func (s *Service) isReserved(protocol, hostport string) bool {
	return (protocol == "tcp" || strings.HasSuffix(hostport, ":443")) && len(s.reservedFor(protocol, []string{hostport})) > 0
}

// reservedFor returns the ids of the reserved domains and addresses that an edge
// with these hostports uses.
func (s *Service) reservedFor(protocol string, hostports []string) []string {
	var ids []string
	found := map[string]bool{}
	for _, hostport := range hostports {
		id := ""
		switch {
		case !keys.ValidHostport(hostport):
		case protocol == "tcp":
			id, _ = reservedAddressTable.In(s.store).Holder(strings.ToLower(hostport))
		default:
			id = s.domainOf(hostport)
		}
		if id != "" && !found[id] {
			ids = append(ids, id)
		}
		found[id] = true
	}
	return ids
}

// edgesOn returns the ids of the edges that use a reserved domain or address.
func (s *Service) edgesOn(reserved string) (ids []string) {
	s.eachEdge(func(id, protocol string, hostports []string) {
		if slices.Contains(s.reservedFor(protocol, hostports), reserved) {
			ids = append(ids, id)
		}
	})
	return ids
}
