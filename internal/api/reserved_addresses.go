package api

// ReservedAddress is a host and port that the service has assigned to the
// account, for TCP edges.
type ReservedAddress struct {
	Object
	Addr string `json:"addr"`
}

// ReservedAddresses is the collection at /reserved_addrs.
type ReservedAddresses = Collection[ReservedAddress]

// ReservedAddressKind names reserved addresses.
var ReservedAddressKind = newKind(Kind{Noun: "reserved address", Prefix: "ra_", Path: "/reserved_addrs", ListField: "reserved_addrs"})

var reservedAddresses = objects(kind[ReservedAddress]{Kind: ReservedAddressKind})

// ReservedAddresses returns the account's reserved addresses.
func (c *Client) ReservedAddresses() *ReservedAddresses { return collection(c, reservedAddresses) }
