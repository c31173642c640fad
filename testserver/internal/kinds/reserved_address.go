package kinds

import (
	"fmt"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// reservedAddress is a host and port that the service has assigned to the
// account, for TCP edges.
type reservedAddress struct {
	common
	Addr string `json:"addr"`
}

const (
	reservedAddressPath                                  = "/reserved_addrs"
	reservedAddressTable store.TableOf[*reservedAddress] = "reserved_addrs"
)

func (a *reservedAddress) Unique() string { return a.Addr }
func (a *reservedAddress) Label() string  { return a.Addr }

func reservedAddresses(s *Service) engine.Collection[*reservedAddress] {
	return engine.Collection[*reservedAddress]{
		Path:   reservedAddressPath,
		Prefix: "ra_",
		Field:  "reserved_addrs",
		Noun:   "reserved address",
		Table:  reservedAddressTable.In(s.store),
		Create: func(c *engine.Call, in *body.Object) (*reservedAddress, error) {
			address := &reservedAddress{newCommon(c, in), ""}
			if in.IsAnswer() {
				address.Addr = in.Required("addr")
			} else {
				address.Addr = s.nextAddress()
			}
			return address, nil
		},
		Update: updated[reservedAddress],
		Users:  func(a *reservedAddress) []string { return s.edgesOn(a.ID) },
	}
}

// nextAddress returns an address that is not assigned.
func (s *Service) nextAddress() string {
	for n := 1; ; n++ {
		address := fmt.Sprintf("%d.tcp.%s:%d", n, OwnDomain, 20000+n)
		if _, taken := reservedAddressTable.In(s.store).Holder(address); !taken {
			return address
		}
	}
}
