package api

// ReservedAddress is a host and port that the service has assigned to the
// account, for TCP edges.
type ReservedAddress struct {
	Object
	Addr string `json:"addr"`
}

// ReservedAddresses is the collection at /reserved_addrs.
type ReservedAddresses = Collection[ReservedAddress]

var reservedAddresses = describe(kind[ReservedAddress]{
	noun: "reserved address", path: "/reserved_addrs", list: "reserved_addrs",
	id:      func(o *ReservedAddress) string { return o.ID },
	created: func(o *ReservedAddress) string { return string(o.CreatedAt) },
})

// ReservedAddresses returns the account's reserved addresses.
func (c *Client) ReservedAddresses() *ReservedAddresses {
	return collection[ReservedAddress](c, reservedAddresses)
}
