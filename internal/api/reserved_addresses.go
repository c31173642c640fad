package api

// ReservedAddress is a host and port that the service has assigned to the
// account, for TCP edges.
type ReservedAddress struct {
	Object
	Addr string `json:"addr"`
}

// ReservedAddresses are the reserved addresses of the account.
var ReservedAddresses = identified[ReservedAddress](
	Kind{Noun: "reserved address", Prefix: "ra_", Path: "/reserved_addrs", ListField: "reserved_addrs"},
)
