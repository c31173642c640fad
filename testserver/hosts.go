package testserver

import (
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
)

// A page of a stranger can let its own host name resolve to this machine (DNS
// rebinding). A browser then lets that page read the answers of this server. So the
// control endpoints answer only under a name that no stranger can register. API
// requests are not checked: their clients are programs.

// privateDomains are domains that nobody can register, by RFC 2606, RFC 6761, RFC
// 6762, RFC 8375 and a decision of ICANN.
var privateDomains = []string{"localhost", "local", "internal", "test", "example", "example.com", "invalid", "home.arpa"}

// WithHost lets the control endpoints answer under more host names, without a port,
// for example "tunnel.corp.example.org". IP addresses, names without a dot such as
// those of Docker services, names under .localhost, .local, .internal, .test and
// .example, and the host of [WithBaseURL] are always allowed. "*" allows all names.
func WithHost(names ...string) Option {
	return func(s *Server) { s.hosts = append(s.hosts, names...) }
}

// checkHost returns an error if a stranger may have registered the host name by which
// a client reached the control endpoints.
func (s *Server) checkHost(r *http.Request) error {
	name := hostOf(r.Host)
	if name == "" || net.ParseIP(name) != nil || !strings.Contains(name, ".") {
		return nil
	}
	for _, domain := range privateDomains {
		if name == domain || strings.HasSuffix(name, "."+domain) {
			return nil
		}
	}
	for _, allowed := range s.hosts {
		if allowed == "*" || strings.EqualFold(strings.TrimSuffix(allowed, "."), name) {
			return nil
		}
	}
	if base, err := url.Parse(s.publicURL); err == nil && s.publicURL != "" && hostOf(base.Host) == name {
		return nil
	}
	return &problem.Problem{Status: http.StatusMisdirectedRequest,
		Message: "the control endpoints do not answer under the host name " + problem.Printable(name) + ": use an IP address, " +
			"or start the server with -allow-host " + name}
}

// hostOf returns the lower-case name or address in the host of a request, without a
// port and a dot at the end.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
