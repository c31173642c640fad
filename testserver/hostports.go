package testserver

import (
	"slices"
	"strings"
)

// hostports reads the list of hosts and ports that an edge serves. protocol is
// "tls", "tcp" or "https".
func (s *service) hostports(protocol string, in *object) []string {
	given := in.texts("hostports")
	for i, hostport := range given {
		at := element("hostports", i)
		valid := validHostport(hostport)
		in.rule(valid, at, "invalid host and port %s: expected a value such as www.example.com:443", printable(hostport))
		if valid && s.requireReserved {
			in.rule(s.isReserved(protocol, hostport), at, "%s is not reserved: expected %s", printable(hostport), reservedForm(protocol))
		}
	}
	return given
}

// isReserved reports whether an edge can serve a hostport: a reserved address,
// or a host of a reserved domain with port 443.
func (s *service) isReserved(protocol, hostport string) bool {
	if protocol == "tcp" {
		_, ok := reservedAddressTable.in(s.store).holder(strings.ToLower(hostport))
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
func (s *service) edgesOn(uses func(protocol, hostport string) bool) []string {
	var ids []string
	add := func(protocol, id string, hostports []string) {
		if slices.ContainsFunc(hostports, func(hostport string) bool { return validHostport(hostport) && uses(protocol, hostport) }) {
			ids = append(ids, id)
		}
	}
	for _, e := range tlsEdgeTable.in(s.store).all() {
		add("tls", e.ID, e.Hostports)
	}
	for _, e := range tcpEdgeTable.in(s.store).all() {
		add("tcp", e.ID, e.Hostports)
	}
	for _, e := range httpsEdgeTable.in(s.store).all() {
		add("https", e.ID, e.Hostports)
	}
	return ids
}
