package kinds

import (
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// hostports reads the list of hosts and ports that an edge serves. protocol is
// "tls", "tcp" or "https".
func (s *Service) hostports(protocol string, in *body.Object) []string {
	given := in.Texts("hostports")
	for i, hostport := range given {
		at := body.Element("hostports", i)
		valid := keys.ValidHostport(hostport)
		in.Rule(valid, at, "invalid host and port %s: expected a value such as www.example.com:443", problem.Printable(hostport))
		if valid && s.requireReserved {
			in.Rule(s.isReserved(protocol, hostport), at, "%s is not reserved: expected %s", problem.Printable(hostport), reservedForm(protocol))
		}
	}
	return given
}

// isReserved reports whether an edge can serve a hostport: a reserved address,
// or a host of a reserved domain with port 443.
func (s *Service) isReserved(protocol, hostport string) bool {
	if protocol == "tcp" {
		_, ok := reservedAddressTable.In(s.store).Holder(strings.ToLower(hostport))
		return ok
	}
	return strings.HasSuffix(hostport, ":443") && s.reservedFor(hostport) != ""
}

func reservedForm(protocol string) string {
	if protocol == "tcp" {
		return "the addr of a reserved address"
	}
	return "a host of a reserved domain and port 443"
}

// edgesOn returns the ids of the edges with a hostport that uses something,
// such as a reserved domain.
func (s *Service) edgesOn(uses func(protocol, hostport string) bool) []string {
	var ids []string
	add := func(protocol, id string, hostports []string) {
		if slices.ContainsFunc(hostports, func(hostport string) bool { return keys.ValidHostport(hostport) && uses(protocol, hostport) }) {
			ids = append(ids, id)
		}
	}
	for _, e := range tlsEdgeTable.In(s.store).All() {
		add("tls", e.ID, e.Hostports)
	}
	for _, e := range tcpEdgeTable.In(s.store).All() {
		add("tcp", e.ID, e.Hostports)
	}
	for _, e := range httpsEdgeTable.In(s.store).All() {
		add("https", e.ID, e.Hostports)
	}
	return ids
}
