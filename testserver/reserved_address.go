package testserver

import (
	"fmt"
	"strings"
)

// reservedAddress is a host and port that the service has assigned to the
// account, for TCP edges.
type reservedAddress struct {
	common
	Addr string `json:"addr"`
}

const reservedAddressTable tableOf[*reservedAddress] = "reserved_addrs"

func (a *reservedAddress) unique() string { return a.Addr }

func (s *service) reservedAddresses() collection[*reservedAddress] {
	return collection[*reservedAddress]{
		path:   "/reserved_addrs",
		prefix: "ra_",
		field:  "reserved_addrs",
		noun:   "reserved address",
		table:  reservedAddressTable.in(s.store),
		create: func(c *call, in *object) (*reservedAddress, error) {
			return &reservedAddress{newCommon(c, in), s.nextAddress()}, nil
		},
		update: func(_ *call, old *reservedAddress, in *object) *reservedAddress {
			return &reservedAddress{old.updated(in), old.Addr}
		},
		users: func(a *reservedAddress) []string {
			return s.edgesOn(func(protocol, hostport string) bool { return protocol == "tcp" && strings.EqualFold(hostport, a.Addr) })
		},
		view: func(_ *call, uri string, a *reservedAddress) any {
			return struct {
				URI string `json:"uri"`
				*reservedAddress
			}{uri, a}
		},
	}
}

// nextAddress returns an address that is not assigned.
func (s *service) nextAddress() string {
	for n := 1; ; n++ {
		address := fmt.Sprintf("%d.tcp.%s:%d", n, ownDomain, 20000+n)
		if _, taken := reservedAddressTable.in(s.store).holder(address); !taken {
			return address
		}
	}
}
