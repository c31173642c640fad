package testserver

import (
	"strings"
	"testing"
)

// fullAccount creates at least one object of every kind, with values that are easily
// lost.
func fullAccount(t *testing.T, s *Server) {
	t.Helper()
	leaf := issue(t, nil, newKey(t, "p256"), nil)
	certificate := s.Create("/tls_certificates", upload(leaf.pem, pkcs8(t, leaf.key)))
	s.Create("/ssh_credentials", newCredential("a comment"))
	s.Create("/ssh_host_certificates", `{"ssh_certificate_authority_id":"`+s.Parents.SSHCertificateAuthority+`","principals":["a.example.com"],"public_key":`+
		asJSON(sshLine(t, newKey(t, "ed25519")))+`,"valid_after":"2026-01-02T03:04:05Z"}`)
	group := s.ForceCreate("/backends/tunnel_group", `{"labels":{"a":"b"},"tunnels":[{"id":"tn_1","uri":"https://example.com/tunnels/tn_1"}]}`)
	other := s.Create("/backends/http_response", `{"body":"","headers":{"X-A":"b"},"status_code":503}`)
	s.Create("/backends/failover", `{"backends":["`+group+`","`+other+`"],"metadata":"{\"a\":1}"}`)
	s.Create("/reserved_domains", `{"domain":"www.example.com","certificate_id":"`+certificate+`"}`)
	s.Create("/reserved_domains", `{"domain":"*.example.net","certificate_management_policy":{"authority":"letsencrypt"}}`)
	s.Create("/reserved_addrs", `{}`)
	one, two := s.Create("/event_destinations", `{"target":{"debug":{"log":true}}}`), s.Create("/event_destinations", `{"target":{"datadog":{"api_key":"secret"}}}`)
	s.Create("/event_subscriptions", `{"sources":[{"type":"b.v0"},{"type":"a.v0"}],"destination_ids":["`+one+`","`+two+`"]}`)
	s.Edit("/event_subscriptions/"+s.Parents.EventSubscription, `{"description":""}`)
	s.Put("/edges/tls/"+s.Parents.TLSEdge+"/policy", `{"inbound":[{"expressions":["true"],"actions":[{"type":"log","config":{"metadata":{"n":12345678901234567890}}}]}]}`)
	s.Put("/edges/tls/"+s.Parents.TLSEdge+"/backend", `{"backend_id":"`+group+`","enabled":false}`)
	s.Edit("/edges/tcp/"+s.Parents.TCPEdge, `{"hostports":["1.tcp.example.com:20001"]}`)
	route := "/edges/https/" + s.Parents.HTTPSEdge + "/routes/" + s.Parents.HTTPSEdgeRoute
	s.Put(route+"/compression", `{"enabled":false}`)
	s.Put(route+"/backend", `{"backend_id":"`+other+`"}`)
}

// TestExport_seedsTheSameAccount exports an account of every kind, seeds another
// server with it, also with other behavior, and exports that.
func TestExport_seedsTheSameAccount(t *testing.T) {
	t.Parallel()
	s := Start(t)
	fullAccount(t, s)
	account := s.Export()
	for _, kind := range []string{"ssh_host_certificates", "ssh_credentials", "tls_certificates", "failover", "tunnel_group", "http_response", "tls", "tcp", "https", "event_subscriptions", "reserved_domains", "reserved_addrs"} {
		if !strings.Contains(string(account), "/"+kind+`"`) {
			t.Errorf("the account has no %s", kind)
		}
	}
	for name, options := range map[string][]Option{"default": nil, "other behavior": {WithBehavior("seed=3", "text_trimmed", "times_milliseconds", "null_where_absent")}, "failures": {WithBehavior("503")}} {
		copied := Start(t, options...)
		if err := copied.Seed(account); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if again := copied.Export(); string(again) != string(account) {
			t.Errorf("%s: the second export differs:\n%s", name, diffLines(string(account), string(again)))
		}
		if copied.Parents != (Parents{}) {
			t.Errorf("%s: the parents are still %v", name, copied.Parents)
		}
	}
	for _, path := range []string{"/ssh_certificate_authorities", "/backends/tunnel_group", "/tls_certificates", "/event_destinations"} {
		for _, object := range s.List(path) {
			s.ForceDelete(path + "/" + member(object, "id")) // what others refer to
		}
	}
	account = s.Export()
	copied := Start(t)
	if err := copied.Seed(account); err != nil || string(copied.Export()) != string(account) {
		t.Errorf("without what is referred to: %v\n%s", err, diffLines(string(account), string(copied.Export())))
	}
}

func diffLines(a, b string) string {
	before, after := strings.Split(a, "\n"), strings.Split(b, "\n")
	var found []string
	for i := range min(len(before), len(after)) {
		if before[i] != after[i] {
			found = append(found, "- "+before[i], "+ "+after[i])
		}
	}
	return strings.Join(found[:min(20, len(found))], "\n")
}

// TestExport_authorityWithoutPrivateKey creates a certificate under an authority of
// another account.
func TestExport_authorityWithoutPrivateKey(t *testing.T) {
	t.Parallel()
	s := Start(t)
	authority := s.Parents.SSHCertificateAuthority
	account := s.Export()
	copied := Start(t)
	if err := copied.Seed(account); err != nil {
		t.Fatal(err)
	}
	id := copied.Create("/ssh_host_certificates", `{"ssh_certificate_authority_id":"`+authority+`","principals":["a.example.com"],"public_key":`+asJSON(sshLine(t, newKey(t, "ed25519")))+`}`)
	if got := copied.Get("/ssh_host_certificates/" + id)["certificate"].(string); !strings.HasPrefix(got, "ssh-") {
		t.Errorf("the certificate is %q", got)
	}
	equal(t, "public key", copied.Get("/ssh_certificate_authorities/" + authority)["public_key"], s.Get("/ssh_certificate_authorities/" + authority)["public_key"])
}

func TestSeed_wrongMemberLoadsNothing(t *testing.T) {
	t.Parallel()
	good := `{"path":"/backends/tunnel_group","body":{"id":"bkdtg_one","labels":{"a":"b"}}}`
	for seed, want := range map[string]string{
		`{}`: "expected a list of objects", good: "it is one object: expected a list, with [ and ] around the object",
	} {
		if err := New().Seed([]byte(seed)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", seed, err, want)
		}
	}
	for name, test := range map[string]struct{ object, want string }{
		"misspelled":  {`{"path":"/edges/tls","body":{"id":"edgtls_1","hostport":["a.test:443"]}}`, `object 2, path "/edges/tls": member hostport: unknown field "hostport"`},
		"wrong type":  {`{"path":"/edges/tls","body":{"id":"edgtls_1","hostports":"a.test:443"}}`, "member hostports: hostports must be a list"},
		"nested":      {`{"path":"/edges/https","body":{"id":"edghts_1","routes":[{"id":"edghtsrt_1","match_type":7,"match":"/"}]}}`, "routes[0]: member match_type"},
		"foreign id":  {`{"path":"/edges/tls","body":{"id":"foreign"}}`, "member id: invalid id: expected edgtls_"},
		"no body":     {`{"path":"/edges/tls"}`, "the request body is empty"},
		"same id":     {good, "already exists"},
		"bad created": {`{"path":"/edges/tls","body":{"id":"edgtls_1","created_at":"yesterday"}}`, "member created_at"},
	} {
		s := Start(t)
		before := s.Export()
		for _, seed := range []string{`[` + good + `,` + test.object + `]`, `{"objects":[` + good + `,` + test.object + `]}`} {
			if err := s.Seed([]byte(seed)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, want %q", name, err, test.want)
			}
			if after := s.Export(); string(after) != string(before) || s.Parents.TLSEdge == "" {
				t.Errorf("%s: objects are loaded:\n%s", name, after)
			}
		}
	}
}
