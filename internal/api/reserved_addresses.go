package api

// ReservedAddress is a host and port that the service has assigned to the
// account, for TCP edges.
type ReservedAddress struct {
	Object
	Addr string `json:"addr"`
}

// ReservedAddressKind names reserved addresses.
var ReservedAddressKind = newKind(Kind{Noun: "reserved address", Prefix: "ra_", Path: "/reserved_addrs", ListField: "reserved_addrs"})

// ReservedAddresses returns the account's reserved addresses.
var ReservedAddresses = objects(kind[ReservedAddress]{Kind: ReservedAddressKind})
