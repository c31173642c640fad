package testserver

import (
	"strings"
	"testing"
)

func TestRequireReserved_hostports(t *testing.T) {
	t.Parallel()
	s := Start(t, WithBehavior("require_reserved"))
	s.Create("/reserved_domains", `{"domain":"www.example.com"}`)
	s.Create("/reserved_domains", `{"domain":"*.example.org"}`)
	address := strings.ToUpper(s.Get("/reserved_addrs/" + s.Create("/reserved_addrs", `{}`))["addr"].(string))
	for kind, test := range map[string]struct{ good, bad []string }{
		"tls":   {[]string{"WWW.example.com:443", "a.example.org:443", "*.example.org:443"}, []string{"www.example.com:8443", "example.com:443", "a.b.example.org:443", "example.org:443", address}},
		"https": {[]string{"www.example.com:443", "A.example.org:443"}, []string{"shop.example.com:443", "*.example.com:443"}},
		"tcp":   {[]string{address}, []string{"www.example.com:443", "2.tcp.tunnel.example:20002", "1.tcp.tunnel.example:20002"}},
	} {
		path := "/edges/" + kind + "/" + want(t, s, 201, "POST", "/edges/"+kind, `{}`).text("id")
		for _, hostport := range test.good {
			body := `{"hostports":["` + hostport + `"]}`
			want(t, s, 201, "POST", "/edges/"+kind, body)
			want(t, s, 200, "PATCH", path, body)
		}
		for _, hostport := range test.bad {
			body := `{"hostports":["` + test.good[0] + `","` + hostport + `"]}`
			equal(t, "field for "+hostport, want(t, s, 400, "POST", "/edges/"+kind, body).field(), "hostports[1]")
			equal(t, "field for "+hostport, want(t, s, 400, "PATCH", path, body).field(), "hostports[1]")
		}
	}
	s.ForceCreate("/edges/tcp", `{"hostports":["www.example.com:443"]}`)
}
