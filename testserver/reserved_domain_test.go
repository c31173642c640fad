package testserver

import (
	"strings"
	"testing"
)

func newCertificate(t *testing.T, s *Server) string {
	t.Helper()
	leaf := issue(t, nil, newKey(t, "p256"), nil)
	return s.Create("/tls_certificates", upload(leaf.pem, pkcs8(t, leaf.key)))
}

func TestReservedDomain_certificateAndPolicyExclude(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now))
	one, two := newCertificate(t, s), newCertificate(t, s)
	reference := func(id string) any { return map[string]string{"id": id, "uri": s.URL + "/tls_certificates/" + id} }
	object := want(t, s, 201, "POST", "/reserved_domains", `{"domain":"Www.example.com","certificate_id":"`+one+`"}`)
	id := object.text("id")
	path := "/reserved_domains/" + id
	equal(t, "domain", object.body, map[string]any{
		"id": id, "uri": s.URL + path, "created_at": "2026-11-21T08:15:30Z", "domain": "Www.example.com",
		"cname_target": strings.ToLower(strings.TrimPrefix(id, "rd_")) + ".cname.tunnel.example", "certificate": reference(one),
		"certificate_management_policy": nil, "certificate_management_status": nil, "acme_challenge_cname_target": nil,
	})
	certificateOf := func(body string) any { return want(t, s, 200, "PATCH", path, body).body["certificate"] }
	equal(t, "after {}", certificateOf(`{}`), reference(one))
	equal(t, "another certificate", certificateOf(`{"certificate_id":"`+two+`"}`), reference(two))
	equal(t, "another certificate and no policy", certificateOf(`{"certificate_id":"`+one+`","certificate_management_policy":null}`), reference(one))

	policed := want(t, s, 200, "PATCH", path, `{"certificate_management_policy":{"authority":"letsencrypt"}}`).body
	equal(t, "certificate with a policy", policed["certificate"], nil)
	equal(t, "policy", policed["certificate_management_policy"], map[string]string{"authority": "letsencrypt", "private_key_type": "ecdsa"})
	equal(t, "status", policed["certificate_management_status"], map[string]any{"renews_at": nil, "provisioning_job": map[string]any{
		"error_code": nil, "msg": "Managed certificate provisioning in progress.", "started_at": "2026-11-21T08:15:30Z", "retries_at": nil}})
	s.ForceEdit(path, `{"certificate_id":"`+two+`"}`) // the service has got a certificate
	provisioned := s.Get(path)
	equal(t, "provisioned", []any{provisioned["certificate"], provisioned["certificate_management_policy"]}, []any{reference(two), policed["certificate_management_policy"]})
	equal(t, "status of a provisioned certificate", provisioned["certificate_management_status"], map[string]any{"renews_at": "2026-12-02T00:00:00Z", "provisioning_job": nil})

	back := want(t, s, 200, "PATCH", path, `{"certificate_id":"`+one+`"}`).body
	equal(t, "certificate again", []any{back["certificate"], back["certificate_management_policy"], back["certificate_management_status"]}, []any{reference(one), nil, nil})
	equal(t, "no certificate", certificateOf(`{"certificate_id":null}`), nil)
	want(t, s, 200, "PATCH", path, `{"certificate_management_policy":{"authority":"letsencrypt","private_key_type":"rsa"}}`)
	equal(t, "no policy", want(t, s, 200, "PATCH", path, `{"certificate_management_policy":null}`).body["certificate_management_policy"], nil)
}

func TestReservedDomain_rules(t *testing.T) {
	t.Parallel()
	s := Start(t)
	s.Create("/reserved_domains", `{"domain":"www.example.com"}`)
	for body, field := range map[string]string{
		`{"domain":"WWW.example.com"}`:                   "domain",
		`{"domain":"https://www.example.com"}`:           "domain",
		`{"domain":"a.*.example.com"}`:                   "domain",
		`{"domain":"192.0.2.1"}`:                         "domain",
		`{"domain":"*.192.0.2.1"}`:                       "domain",
		`{"domain":"a.example","certificate_id":"cert"}`: "certificate_id",
	} {
		equal(t, "field of "+body, want(t, s, 400, "POST", "/reserved_domains", body).field(), field)
	}
	wildcard := want(t, s, 201, "POST", "/reserved_domains", `{"domain":"*.example.com","certificate_management_policy":{"authority":"letsencrypt"}}`)
	if target := wildcard.text("acme_challenge_cname_target"); !strings.HasSuffix(target, ".acme.tunnel.example") {
		t.Errorf("acme_challenge_cname_target is %q", target)
	}
	own := want(t, s, 201, "POST", "/reserved_domains", `{"domain":"shop.tunnel.example"}`)
	equal(t, "cname_target under the service's domain", own.body["cname_target"], nil)
}

func TestReservedDomain_inUse(t *testing.T) {
	t.Parallel()
	s := Start(t)
	certificate := newCertificate(t, s)
	one := "/reserved_domains/" + s.Create("/reserved_domains", `{"domain":"www.example.com","certificate_id":"`+certificate+`"}`)
	all := "/reserved_domains/" + s.Create("/reserved_domains", `{"domain":"*.Example.com"}`)
	want(t, s, 409, "DELETE", "/tls_certificates/"+certificate, "")
	for kind, hostport := range map[string]string{"tls": "WWW.example.com:443", "https": "www.example.com:443"} {
		edge := s.Create("/edges/"+kind, `{"hostports":["`+hostport+`"]}`)
		if got := want(t, s, 409, "DELETE", one, ""); !strings.Contains(got.text("msg"), "is in use by "+edge+":") {
			t.Errorf("%s: the error is %s", kind, got.raw)
		}
		want(t, s, 200, "PATCH", "/edges/"+kind+"/"+edge, `{"hostports":["a.example.com:443","a.b.example.com:443"]}`)
		want(t, s, 409, "DELETE", all, "")
		want(t, s, 200, "PATCH", "/edges/"+kind+"/"+edge, `{"hostports":["example.com:443","a.b.example.com:443"]}`)
	}
	s.Create("/edges/tcp", `{"hostports":["www.example.com:443"]}`)
	want(t, s, 204, "DELETE", one, "")
	want(t, s, 204, "DELETE", all, "")
	want(t, s, 204, "DELETE", "/tls_certificates/"+certificate, "")
}

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
			edge := want(t, s, 201, "POST", "/edges/"+kind, body).text("id")
			equal(t, "field of a second edge", want(t, s, 400, "PATCH", path, body).field(), "hostports[0]")
			s.Delete("/edges/" + kind + "/" + edge)
			want(t, s, 200, "PATCH", path, body)
			s.Edit(path, `{"hostports":[]}`)
		}
		for _, hostport := range test.bad {
			body := `{"hostports":["` + test.good[0] + `","` + hostport + `"]}`
			equal(t, "field for "+hostport, want(t, s, 400, "POST", "/edges/"+kind, body).field(), "hostports[1]")
			equal(t, "field for "+hostport, want(t, s, 400, "PATCH", path, body).field(), "hostports[1]")
		}
	}
	s.ForceCreate("/edges/tcp", `{"hostports":["www.example.com:443"]}`)
}
