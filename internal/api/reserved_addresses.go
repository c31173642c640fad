package api

// ReservedAddress is a host and port that the service has assigned to the
// account, for TCP edges.
type ReservedAddress struct {
	Object
	Addr string `json:"addr"`
}

// ReservedAddresses is the collection at /reserved_addrs.
type ReservedAddresses = Collection[ReservedAddress]

var reservedAddresses = objects(kind[ReservedAddress]{noun: "reserved address", path: "/reserved_addrs", list: "reserved_addrs"})

// ReservedAddresses returns the account's reserved addresses.
func (c *Client) ReservedAddresses() *ReservedAddresses { return collection(c, reservedAddresses) }
