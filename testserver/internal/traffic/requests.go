package traffic

import (
	"cmp"
	"encoding/json"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// ranges are those of the rules on the way of a request, by their text.
type ranges map[string]netip.Prefix

func (r ranges) add(text string) {
	if prefix := parseRange(text); prefix.IsValid() {
		r[text] = prefix
	}
}

// outsiders are addresses of which mostly one is in no range.
var outsiders = []netip.Addr{
	netip.MustParseAddr("203.0.113.7"), netip.MustParseAddr("192.0.2.77"), netip.MustParseAddr("100.64.7.7"),
	netip.MustParseAddr("2001:db8::7"),
}

// maxRanges is how many ranges of a request are asked.
const maxRanges = 20

// clients returns the addresses from which a request is asked: the first and the last one
// of each range, because another range can end in it, and one that is in no range.
func (r ranges) clients() []netip.Addr {
	outside := Outside
	for _, other := range outsiders {
		in := func(client netip.Addr) bool {
			return slices.ContainsFunc(slices.Collect(maps.Values(r)), func(p netip.Prefix) bool { return p.Contains(client) })
		}
		if in(outside) && !in(other) {
			outside = other
		}
	}
	clients := []netip.Addr{outside}
	texts := slices.Sorted(maps.Keys(r))
	for _, text := range texts[:min(len(texts), maxRanges)] {
		first, last := r[text].Addr(), r[text].Addr().AsSlice()
		for bit := r[text].Bits(); bit < 8*len(last)-1; bit++ { // without the last one, which is the broadcast address
			last[bit/8] |= 1 << (7 - bit%8)
		}
		if next := first.Next(); r[text].Contains(next) {
			first = next // the first address is that of the network
		}
		end, _ := netip.AddrFromSlice(last)
		clients = append(clients, first, end)
	}
	return clients
}

// Requests returns the requests to each hostport and route that the recording has at any
// time, from the addresses that the rules on its way can tell apart.
func (r *Recording) Requests() []Request {
	account := NewAccount()
	found := map[Request]ranges{} // requests without a client
	for _, step := range r.steps {
		if len(account.Apply(step.changes)) == 0 {
			continue
		}
		for hostport, edges := range account.hosts {
			for _, edge := range edges {
				account.requests(found, hostport, edge)
			}
		}
	}
	asked := map[Request]bool{}
	for request, ranges := range found {
		for _, request.Client = range ranges.clients() {
			asked[request] = true
		}
	}
	return slices.SortedFunc(maps.Keys(asked), func(a, b Request) int { return cmp.Compare(a.String(), b.String()) })
}

// requests adds the requests to a hostport of an edge.
func (a *Account) requests(found map[Request]ranges, hostport string, edge *endpoint) {
	protocol, address, _ := strings.Cut(hostport, " ")
	host, port, err := net.SplitHostPort(strings.Replace(address, "*.", "any.", 1))
	if err != nil {
		return
	}
	to := func(path string, endpoint *endpoint) {
		request := Request{Protocol: protocol, Host: host, Port: port, Path: path}
		if found[request] == nil {
			found[request] = ranges{}
		}
		a.addRanges(found[request], endpoint)
	}
	if protocol != "https" {
		to("", edge)
		return
	}
	to("/", edge)
	for path, routes := range a.routes[edge.ID] {
		for _, route := range routes {
			if to(path, route); route.MatchType == "path_prefix" {
				to(path+"any", route)
			}
		}
	}
}

// addRanges adds the ranges of the IP restriction and the policy of an edge or route.
func (a *Account) addRanges(found ranges, e *endpoint) {
	add := func(policies []string) {
		for _, id := range policies {
			for _, rule := range a.rules[id] {
				found.add(rule.CIDR)
			}
		}
	}
	if e.IPRestriction != nil {
		add(e.IPRestriction.Policies)
	}
	if e.Policy == nil {
		return
	}
	for _, rule := range e.Policy.Inbound {
		for _, action := range rule.Actions {
			var config ipConfig
			if action.Type != "restrict-ips" || json.Unmarshal(action.Config, &config) != nil {
				continue
			}
			add(config.Policies)
			for _, text := range slices.Concat(config.Allow, config.Deny) {
				found.add(text)
			}
		}
	}
}
