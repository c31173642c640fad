package testserver

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// TestError_reference sends creations that refer to objects which do not exist.
func TestError_reference(t *testing.T) {
	t.Parallel()
	s := Start(t)
	key := keys.PublicKeyFor("one")
	for path, test := range map[string]struct {
		body  map[string]any
		field string
	}{
		"/backends/failover":     {map[string]any{"backends": []string{"bkdhr_none"}}, "backends[0]"},
		"/edges/tls":             {map[string]any{"backend": map[string]any{"backend_id": "bkdtg_none"}}, "backend.backend_id"},
		"/edges/tcp":             {map[string]any{"ip_restriction": map[string]any{"ip_policy_ids": []string{"ipp_none"}}}, "ip_restriction.ip_policy_ids[0]"},
		"/reserved_domains":      {map[string]any{"domain": "www.example.com", "certificate_id": "cert_none"}, "certificate_id"},
		"/ssh_host_certificates": {map[string]any{"public_key": key, "ssh_certificate_authority_id": "sshca_none"}, "ssh_certificate_authority_id"},
		"/ip_policy_rules":       {map[string]any{"ip_policy_id": "ipp_none", "action": "deny", "cidr": "192.0.2.0/24"}, "ip_policy_id"},
		"/event_subscriptions":   {map[string]any{"sources": []any{}, "destination_ids": []string{"ed_none"}}, "destination_ids[0]"},
		"/ssh_credentials":       {map[string]any{"public_key": key, "owner_id": "bot_none"}, "owner_id"},
	} {
		got := want(t, s, 400, "POST", path, asJSON(test.body))
		equal(t, path, got.field(), test.field)
	}
}

// TestError_form sends what no variant of the contract is.
func TestError_form(t *testing.T) {
	t.Parallel()
	s := Start(t)
	credential := "/ssh_credentials/" + s.Create("/ssh_credentials", asJSON(map[string]string{"public_key": keys.PublicKeyFor("one")}))
	child := s.Create("/backends/tunnel_group", `{"labels":{"a":"b"}}`)
	s.Create("/backends/failover", asJSON(map[string]any{"backends": []string{child}}))
	source := "/event_subscriptions/" + s.Parents.EventSubscription + "/sources"
	s.Create(source, `{"type":"domain_created.v0"}`)
	foreign := asJSON(map[string]string{"public_key": keys.PublicKeyFor("two"), "owner_id": s.AdminOwner})

	for name, test := range map[string]struct {
		status             int
		method, path, body string
		change             func(*http.Request)
		field, code        string
	}{
		"unknown key":             {401, "GET", credential, "", as("sk_secret_of_somebody"), "", ""},
		"no key, unknown path":    {401, "GET", "/nothing", "", func(r *http.Request) { r.Header.Del("Authorization") }, "", ""},
		"somebody else's":         {403, "POST", "/ssh_credentials", foreign, as(s.OrdinaryKey), "owner_id", ""},
		"unclean path":            {404, "GET", "/edges/../ssh_credentials", "", nil, "", ""},
		"escaped dots":            {400, "GET", "/ssh_credentials/%2e%2e", "", nil, "id", ""},
		"odd event type":          {400, "GET", source + "/a%2Cb", "", nil, "type", ""},
		"parent of another kind":  {404, "PUT", "/edges/tls/" + s.Parents.TCPEdge + "/policy", `{}`, nil, "", ""},
		"backend in use":          {409, "DELETE", "/backends/tunnel_group/" + child, "", nil, "", ""},
		"source there already":    {409, "POST", source, `{"type":"domain_created.v0"}`, nil, "type", ""},
		"key there already":       {400, "POST", "/ssh_credentials", asJSON(map[string]string{"public_key": keys.PublicKeyFor("one") + " other comment"}), nil, "public_key", "ERR_TUNNEL_609"},
		"key twice, deep":         {400, "PUT", "/edges/tls/x/policy", `{"inbound":[{"a":{"b":1,"b":2}}]}`, nil, "inbound[0].a.b", ""},
		"not too deep":            {400, "PATCH", credential, `{"x":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}`, nil, "x", ""},
		"half a character":        {400, "PATCH", credential, `{"description":"\\\ud83d\ude00\ude00"}`, nil, "", ""},
		"half a name":             {400, "PATCH", credential, `{"\uD83Dx":1}`, nil, "", ""},
		"encoded body":            {415, "PATCH", credential, `{"description":"red"}`, header("Content-Encoding", "gzip"), "", ""},
		"read-only key, no path":  {404, "POST", "/nothing", `{}`, as(s.ReadOnlyKey), "", ""},
		"field in capitals":       {400, "PATCH", credential, `{"Description":"red"}`, nil, "Description", ""},
		"no value":                {400, "PATCH", credential, `{"description":null,"acl":null}`, nil, "", ""},
		"before_id of other kind": {400, "GET", "/ssh_credentials?before_id=" + child, "", nil, "before_id", ""},
		"parameter of a source":   {400, "GET", source + "?limit=1", "", nil, "limit", ""},
		"parameter of an object":  {400, "DELETE", credential + "?force=true", "", nil, "force", ""},
	} {
		t.Run(name, func(t *testing.T) {
			change := test.change
			if change == nil {
				change = func(*http.Request) {}
			}
			got := want(t, s, test.status, test.method, test.path, test.body, change)
			code := test.code
			if code == "" {
				code = "ERR_TUNNEL_"
			}
			if !strings.HasPrefix(got.text("error_code"), code) || got.body["status_code"] != float64(test.status) || got.text("msg") == "" {
				t.Errorf("the error is %s", got.raw)
			}
			details, _ := got.body["details"].(map[string]any)
			operation, _ := details["operation_id"].(string)
			if operation == "" || operation != got.header.Get("Tunnel-Operation-Id") {
				t.Errorf("the operation id is %q in the body and %q in the header", operation, got.header.Get("Tunnel-Operation-Id"))
			}
			if got.field() != test.field {
				t.Errorf("the error blames %q, want %q: %s", got.field(), test.field, got.raw)
			}
			if strings.Contains(got.raw, "sk_secret") {
				t.Errorf("the error repeats the key: %s", got.raw)
			}
		})
	}
	want(t, s, 200, "PATCH", credential, `{"description":"\\ud83d \uD83D\uDE00"}`, header("Content-Encoding", "Identity"))
	equal(t, "description", s.Get(credential)["description"], `\ud83d 😀`)
	if !s.Exists(credential) {
		t.Error("a refused request deleted the credential")
	}
}

// TestHEAD_likeGETWithoutBody sends HEAD to the paths of the API and of the control
// endpoints, as in wget --spider.
func TestHEAD_likeGETWithoutBody(t *testing.T) {
	t.Parallel()
	s := Start(t)
	paths := []string{
		"/ssh_credentials", "/ssh_credentials/unknown", "/edges/tls/" + s.Parents.TLSEdge, "/edges/tls/" + s.Parents.TLSEdge + "/policy",
		"/backends/failover?limit=0", "/unknown", "/_testserver/", "/_testserver/unknown",
	}
	for _, name := range []string{"health", "export", "stats", "openapi.yaml", "activity", "requests", "objects", "objects/edges/tls/" + s.Parents.TLSEdge} {
		paths = append(paths, "/_testserver/"+name)
	}
	for _, path := range paths {
		get, head := send(t, s, "GET", path, ""), send(t, s, "HEAD", path, "")
		if head.status != get.status || head.raw != "" || head.header.Get("Content-Type") != get.header.Get("Content-Type") {
			t.Errorf("HEAD %s: %d, %v, %q; GET: %d, %v", path, head.status, head.header, head.raw, get.status, get.header)
		}
	}
	equal(t, "slash at the end", want(t, s, 404, "GET", "/_testserver/stats/", "").text("msg"), "unknown API path, did you mean stats?")
	equal(t, "status without a key", send(t, s, "HEAD", "/ssh_credentials", "", as("")).status, 401)
	equal(t, "status of a reset", send(t, s, "HEAD", "/_testserver/reset", "").status, 405)
	equal(t, "status of the read-only key", send(t, s, "HEAD", "/ssh_credentials", "", as(s.ReadOnlyKey)).status, 200)
}
