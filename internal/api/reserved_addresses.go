package api

// ReservedAddress is a host and port that the service has assigned to the
// account, for TCP edges.
type ReservedAddress struct {
	Object
	Addr string `json:"addr"`
}

// ReservedAddressKind names reserved addresses, and ReservedAddresses returns
// those of the account.
var ReservedAddressKind, ReservedAddresses = objects[ReservedAddress](
	Kind{Noun: "reserved address", Prefix: "ra_", Path: "/reserved_addrs", ListField: "reserved_addrs"},
)
