package traffic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// allowing are ranges that let a client pass, by the IP policy or action that has them.
type allowing map[string]netip.Prefix

// outsiders are addresses of which one is in no range of an account, mostly.
var outsiders = []netip.Addr{
	Outside, netip.MustParseAddr("203.0.113.7"), netip.MustParseAddr("192.0.2.77"), netip.MustParseAddr("100.64.7.7"),
}

// Requests returns the requests to each hostport and route that the recording has at any
// time: each from an address that each IP policy on its way allows, and from one that
// none allows.
func (r *Recording) Requests() []Request {
	account := NewAccount()
	found, all := map[Request]allowing{}, allowing{} // requests without a client
	for _, step := range r.steps {
		if len(account.Apply(step.changes)) == 0 {
			continue
		}
		for hostport, edges := range account.hosts {
			for _, edge := range edges {
				account.requests(found, hostport, edge)
			}
		}
		for _, rules := range account.rules {
			for _, rule := range rules {
				if rule.Action == "allow" {
					all[rule.ID] = rule.addresses
				}
			}
		}
	}
	var requests []Request
	for request, allowed := range found {
		from := func(client netip.Addr) {
			request.Client = client
			requests = append(requests, request)
		}
		outside := func(client netip.Addr) bool { return !all.has(client) && !allowed.has(client) }
		if at := slices.IndexFunc(outsiders, outside); at >= 0 {
			from(outsiders[at])
		}
		for _, prefix := range allowed {
			client := prefix.Addr()
			if !prefix.IsValid() {
				continue
			}
			if next := client.Next(); prefix.Contains(next) {
				client = next // the first address is that of the network
			}
			from(client)
		}
	}
	slices.SortFunc(requests, func(a, b Request) int { return cmp.Compare(a.String(), b.String()) })
	return slices.Compact(requests)
}

func (a allowing) has(client netip.Addr) bool {
	for _, prefix := range a {
		if prefix.Contains(client) {
			return true
		}
	}
	return false
}

// requests adds the requests to a hostport of an edge.
func (a *Account) requests(found map[Request]allowing, hostport string, edge *endpoint) {
	protocol, address, _ := strings.Cut(hostport, " ")
	host, port, err := net.SplitHostPort(strings.Replace(address, "*.", "any.", 1))
	if err != nil {
		return
	}
	to := func(path string, endpoint *endpoint) {
		request := Request{Protocol: protocol, Host: host, Port: port, Path: path}
		if found[request] == nil {
			found[request] = allowing{}
		}
		a.allow(found[request], endpoint)
	}
	if protocol != "https" {
		to("", edge)
		return
	}
	to("/", edge)
	for path, routes := range a.routes[edge.ID] {
		for _, route := range routes {
			to(path, route)
		}
	}
}

// allow adds the ranges that the IP restriction and the policy of an edge or route allow.
func (a *Account) allow(ranges allowing, e *endpoint) {
	add := func(policies []string) {
		for _, id := range policies {
			for _, rule := range a.rules[id] {
				if _, known := ranges[id]; !known && rule.Action == "allow" {
					ranges[id] = rule.addresses
				}
			}
		}
	}
	if e.IPRestriction != nil {
		add(e.IPRestriction.Policies)
	}
	if e.Policy == nil {
		return
	}
	for i, rule := range e.Policy.Inbound {
		for j, action := range rule.Actions {
			var config ipConfig
			if action.Type != "restrict-ips" || json.Unmarshal(action.Config, &config) != nil {
				continue
			}
			add(config.Policies)
			if len(config.Allow) > 0 {
				ranges[fmt.Sprintf("%s inbound[%d].actions[%d]", e.ID, i, j)] = parseRange(config.Allow[0])
			}
		}
	}
}
