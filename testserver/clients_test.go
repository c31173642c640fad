package testserver

import (
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"
)

// The tests in this file send what public clients of such services send.

func TestClients_nullsAndPathIds(t *testing.T) {
	t.Parallel()
	s := Start(t)
	route := "/edges/https/" + s.Parents.HTTPSEdge + "/routes/" + s.Parents.HTTPSEdgeRoute
	ids := `"id":"` + s.Parents.HTTPSEdgeRoute + `","edge_id":"` + s.Parents.HTTPSEdge + `"`
	got := want(t, s, 200, "PATCH", route, `{`+ids+`,"uri":null,"oauth":null,"ip_restriction":null,"match":"","match_type":"","description":"d"}`)
	equal(t, "route", []string{got.text("match"), got.text("match_type"), got.text("description")}, []string{"/", "path_prefix", "d"})
	want(t, s, 200, "PUT", route+"/compression", `{`+ids+`,"enabled":false}`)
	want(t, s, 201, "POST", "/edges/tls", `{"mutual_tls":null,"tls_termination":null,"ip_restriction":null,"id":null,"policy":null}`)
	equal(t, "field", want(t, s, 400, "PATCH", route, `{"edge_id":"edghts_other"}`).field(), "edge_id")
	equal(t, "field", want(t, s, 400, "PATCH", route, `{"oauth":{}}`).field(), "oauth")
	equal(t, "field", want(t, s, 400, "POST", "/edges/tcp", `{"tls_termination":null}`).field(), "tls_termination")

	sources := "/event_subscriptions/" + s.Parents.EventSubscription + "/sources"
	want(t, s, 201, "POST", sources, `{"type":"a.v0"}`)
	want(t, s, 200, "PATCH", sources+"/a.v0", `{"type":"a.v0"}`)
	equal(t, "field", want(t, s, 400, "PATCH", sources+"/a.v0", `{"type":"b.v0"}`).field(), "type")
	equal(t, "body of an HTTP response backend", form(s.Get("/backends/http_response/"+s.Create("/backends/http_response", "{}")), "body"), `""`)
}

func TestClients_eventTypes(t *testing.T) {
	t.Parallel()
	s := Start(t)
	sources := "/event_subscriptions/" + s.Parents.EventSubscription + "/sources"
	for name, path := range map[string]string{"A-b.c.v12": "A-b.c.v12", "ü,x%.v0": "%C3%BC%2Cx%25.v0"} {
		object := want(t, s, 201, "POST", sources, asJSON(map[string]string{"type": name}))
		if got := want(t, s, 200, "GET", sources+"/"+path, ""); got.raw != object.raw {
			t.Errorf("%s: %s is not %s", name, got.raw, object.raw)
		}
		want(t, s, 200, "GET", strings.TrimPrefix(object.text("uri"), s.URL), "")
		want(t, s, 204, "DELETE", sources+"/"+path, "")
	}
	for _, name := range []string{"a", "a.v", "a.vx", "a b.v0", "a/b.v0", ".v0 ", "a\t.v0"} {
		equal(t, "field of "+name, want(t, s, 400, "POST", sources, asJSON(map[string]string{"type": name})).field(), "type")
	}
}

func TestClients_publicKeys(t *testing.T) {
	t.Parallel()
	s := Start(t)
	pkix := func(kind string) (text, line string) {
		key := newKey(t, kind)
		der, err := x509.MarshalPKIXPublicKey(key.Public())
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), sshLine(t, key)
	}
	for _, kind := range []string{"rsa", "p256", "p521", "ed25519"} {
		text, line := pkix(kind)
		equal(t, kind, want(t, s, 201, "POST", "/ssh_credentials", asJSON(map[string]string{"public_key": text})).text("public_key"), line)
		equal(t, "code of a second "+kind, want(t, s, 400, "POST", "/ssh_credentials", asJSON(map[string]string{"public_key": line})).text("error_code"), "ERR_TUNNEL_609")
	}
	small, _ := pkix("rsa1024")
	equal(t, "field", want(t, s, 400, "POST", "/ssh_credentials", asJSON(map[string]string{"public_key": small})).field(), "public_key")

	line := sshLine(t, newKey(t, "ed25519"))
	body := strings.Fields(line)[1]
	rfc4716 := "---- BEGIN SSH2 PUBLIC KEY ----\r\nComment: \"me, \\\r\non a laptop\"\r\nx-note: a\r\n" + body[:40] + "\r\n" + body[40:] + "\r\n---- END SSH2 PUBLIC KEY ----\r\n"
	got := want(t, s, 201, "POST", "/ssh_credentials", asJSON(map[string]string{"public_key": rfc4716}))
	equal(t, "RFC 4716", got.text("public_key"), line)
	want(t, s, 400, "POST", "/ssh_credentials", asJSON(map[string]string{"public_key": strings.Replace(rfc4716, body[:40], body[1:40], 1)}))
}
