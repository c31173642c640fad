package traffic

import (
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// Request is a request or connection of a client.
type Request struct {
	Protocol string // https, tls or tcp
	Host     string // lower-case
	Port     string
	Path     string // of HTTPS
	Client   netip.Addr
}

// Outside is the address of a client if a request says none.
var Outside = netip.MustParseAddr("198.51.100.7")

const expected = "expected a line such as https://www.example.com/api from 192.0.2.7, tls://app.example.com " +
	"or tcp://5.tcp.example.com:20123"

// ParseRequest parses a line.
func ParseRequest(line string) (Request, error) {
	address, from, named := strings.Cut(strings.TrimSpace(line), " from ")
	fail := func(problem string) (Request, error) {
		return Request{}, fmt.Errorf("invalid request: %s: %s; found %q", problem, expected, line)
	}
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.ContainsAny(address, " *") {
		return fail("no address of a host")
	}
	r := Request{Protocol: u.Scheme, Host: strings.ToLower(u.Hostname()), Port: u.Port(), Path: u.Path, Client: Outside}
	switch {
	case r.Protocol != "https" && r.Protocol != "tls" && r.Protocol != "tcp":
		return fail("unknown protocol")
	case r.Protocol == "tcp" && r.Port == "":
		return fail("no port")
	case r.Protocol != "https" && strings.Trim(r.Path, "/") != "":
		return fail("only HTTPS has a path")
	case r.Port == "":
		r.Port = "443"
	}
	if n, err := strconv.ParseUint(r.Port, 10, 16); err != nil || n == 0 {
		return fail("the port must be from 1 to 65535")
	}
	if r.Protocol != "https" {
		r.Path = ""
	} else if r.Path == "" {
		r.Path = "/"
	}
	if named {
		client, err := netip.ParseAddr(strings.TrimSpace(from))
		if err != nil || client.Zone() != "" {
			return fail("the client must be an IP address")
		}
		r.Client = client.Unmap()
	}
	return r, nil
}

// String returns the line of the request, without control characters.
func (r Request) String() string {
	text := r.Protocol + "://" + r.Host
	if r.Protocol == "tcp" || r.Port != "443" {
		text += ":" + r.Port
	}
	return problem.Escape(text+r.Path) + " from " + r.Client.String()
}

// MarshalText returns the same.
func (r Request) MarshalText() ([]byte, error) { return []byte(r.String()), nil }
