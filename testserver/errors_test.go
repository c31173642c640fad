package testserver

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

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
		"no key":                  {401, "GET", credential, "", func(r *http.Request) { r.Header.Del("Authorization") }, "", ""},
		"no Bearer":               {401, "GET", credential, "", header("Authorization", "Basic "+s.AdminKey), "", ""},
		"unknown key":             {401, "GET", credential, "", as("sk_secret_of_somebody"), "", ""},
		"no key, unknown path":    {401, "GET", "/nothing", "", func(r *http.Request) { r.Header.Del("Authorization") }, "", ""},
		"no version":              {400, "GET", credential, "", func(r *http.Request) { r.Header.Del("Service-Version") }, "Service-Version", ""},
		"other version":           {400, "GET", credential, "", header("Service-Version", "1"), "Service-Version", ""},
		"somebody else's":         {403, "POST", "/ssh_credentials", foreign, as(s.OrdinaryKey), "owner_id", ""},
		"unknown path":            {404, "GET", "/nothing", "", nil, "", ""},
		"trailing slash":          {404, "GET", "/ssh_credentials/", "", nil, "", ""},
		"double slash":            {404, "GET", "//ssh_credentials", "", nil, "", ""},
		"unclean path":            {404, "GET", "/edges/../ssh_credentials", "", nil, "", ""},
		"dots for an id":          {400, "GET", "/ssh_credentials/..", "", nil, "id", ""},
		"escaped dots":            {400, "GET", "/ssh_credentials/%2e%2e", "", nil, "id", ""},
		"escaped slash":           {400, "GET", "/ssh_credentials/a%2fb", "", nil, "id", ""},
		"NUL":                     {400, "GET", "/ssh_credentials/a%00", "", nil, "id", ""},
		"space in an id":          {400, "DELETE", "/ssh_credentials/a%20b", "", nil, "id", ""},
		"odd event type":          {400, "GET", source + "/a%2Cb", "", nil, "type", ""},
		"unknown id":              {404, "GET", "/ssh_credentials/sshcr_none", "", nil, "", "ERR_TUNNEL_404"},
		"unknown id, changed":     {404, "PATCH", "/ssh_credentials/sshcr_none", `{"description":""}`, nil, "", ""},
		"unknown id, deleted":     {404, "DELETE", "/ssh_credentials/sshcr_none", "", nil, "", ""},
		"id of another kind":      {404, "GET", "/tls_certificates/" + child, "", nil, "", ""},
		"unknown parent":          {404, "PUT", "/edges/tls/edgtls_none/policy", `{}`, nil, "", ""},
		"parent of another kind":  {404, "PUT", "/edges/tls/" + s.Parents.TCPEdge + "/policy", `{}`, nil, "", ""},
		"unset module":            {404, "GET", "/edges/tls/" + s.Parents.TLSEdge + "/policy", "", nil, "", ""},
		"unknown method":          {405, "PUT", credential, `{}`, nil, "", ""},
		"no PATCH of a module":    {405, "PATCH", "/edges/tls/" + s.Parents.TLSEdge + "/policy", `{}`, nil, "", ""},
		"no list of routes":       {405, "GET", "/edges/https/" + s.Parents.HTTPSEdge + "/routes", "", nil, "", ""},
		"OPTIONS":                 {405, "OPTIONS", credential, "", nil, "", ""},
		"backend in use":          {409, "DELETE", "/backends/tunnel_group/" + child, "", nil, "", ""},
		"source there already":    {409, "POST", source, `{"type":"domain_created.v0"}`, nil, "type", ""},
		"key there already":       {400, "POST", "/ssh_credentials", asJSON(map[string]string{"public_key": keys.PublicKeyFor("one") + " other comment"}), nil, "public_key", "ERR_TUNNEL_609"},
		"large body":              {413, "POST", "/ssh_credentials", `{"description":"` + strings.Repeat("a", 1<<20) + `"}`, nil, "", ""},
		"form":                    {415, "POST", "/ssh_credentials", `a=b`, header("Content-Type", "application/x-www-form-urlencoded"), "", ""},
		"no Content-Type":         {415, "POST", "/ssh_credentials", `{}`, func(r *http.Request) { r.Header.Del("Content-Type") }, "", ""},
		"no body":                 {400, "POST", "/ssh_credentials", "", nil, "", ""},
		"no JSON":                 {400, "POST", "/ssh_credentials", "{", nil, "", ""},
		"list":                    {400, "POST", "/ssh_credentials", "[]", nil, "", ""},
		"null":                    {400, "POST", "/ssh_credentials", "null", nil, "", ""},
		"two values":              {400, "PATCH", credential, `{"description":"a"} {}`, nil, "", ""},
		"key twice":               {400, "PATCH", credential, `{"description":"a","description":"b"}`, nil, "description", ""},
		"key twice, deep":         {400, "PUT", "/edges/tls/x/policy", `{"inbound":[{"a":{"b":1,"b":2}}]}`, nil, "inbound[0].a.b", ""},
		"no UTF-8":                {400, "PATCH", credential, "{\"description\":\"\xff\"}", nil, "", ""},
		"deep":                    {400, "PATCH", credential, `{"description":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, nil, "description", ""},
		"not too deep":            {400, "PATCH", credential, `{"x":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}`, nil, "x", ""},
		"read-only key":           {403, "DELETE", credential, "", as(s.ReadOnlyKey), "", ""},
		"read-only key, POST":     {403, "POST", "/ssh_credentials", `{}`, as(s.ReadOnlyKey), "", ""},
		"read-only key, no path":  {404, "POST", "/nothing", `{}`, as(s.ReadOnlyKey), "", ""},
		"unknown field":           {400, "PATCH", credential, `{"colour":"red"}`, nil, "colour", ""},
		"field in capitals":       {400, "PATCH", credential, `{"Description":"red"}`, nil, "Description", ""},
		"read-only field":         {400, "PATCH", credential, `{"id":"sshcr_1"}`, nil, "id", ""},
		"number for a string":     {400, "PATCH", credential, `{"description":1}`, nil, "description", ""},
		"string for a list":       {400, "PATCH", credential, `{"acl":"*"}`, nil, "acl", ""},
		"number in a list":        {400, "PATCH", credential, `{"acl":["*",1]}`, nil, "acl[1]", ""},
		"no field":                {400, "PATCH", credential, `{}`, nil, "", ""},
		"no value":                {400, "PATCH", credential, `{"description":null,"acl":null}`, nil, "", ""},
		"missing required field":  {400, "POST", "/ssh_credentials", `{}`, nil, "public_key", ""},
		"null for required field": {400, "POST", "/ssh_credentials", `{"public_key":null}`, nil, "public_key", ""},
		"empty required field":    {400, "POST", "/ssh_credentials", `{"public_key":""}`, nil, "public_key", ""},
		"256 bytes":               {400, "PATCH", credential, asJSON(map[string]string{"description": strings.Repeat("é", 128)}), nil, "description", ""},
		"4097 bytes":              {400, "PATCH", credential, asJSON(map[string]string{"metadata": strings.Repeat("m", 4097)}), nil, "metadata", ""},
		"limit 0":                 {400, "GET", "/ssh_credentials?limit=0", "", nil, "limit", ""},
		"limit 101":               {400, "GET", "/ssh_credentials?limit=101", "", nil, "limit", ""},
		"limit no number":         {400, "GET", "/ssh_credentials?limit=ten", "", nil, "limit", ""},
		"limit twice":             {400, "GET", "/ssh_credentials?limit=1&limit=2", "", nil, "limit", ""},
		"odd before_id":           {400, "GET", "/ssh_credentials?before_id=sshcr_a/b", "", nil, "before_id", ""},
		"before_id of other kind": {400, "GET", "/ssh_credentials?before_id=" + child, "", nil, "before_id", ""},
		"empty before_id":         {400, "GET", "/ssh_credentials?before_id=", "", nil, "before_id", ""},
		"unknown parameter":       {400, "GET", "/ssh_credentials?page=2", "", nil, "page", ""},
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
	if !s.Exists(credential) {
		t.Error("a refused request deleted the credential")
	}
}

func TestError_allowNamesTheMethods(t *testing.T) {
	t.Parallel()
	s := Start(t)
	got := want(t, s, 405, "PUT", "/ssh_credentials", "{}")
	equal(t, "Allow of a list", got.header.Get("Allow"), "GET, HEAD, POST")
	got = want(t, s, 405, "HEAD", "/edges/https/"+s.Parents.HTTPSEdge+"/routes", "")
	equal(t, "Allow without GET", got.header.Get("Allow"), "POST")
	got = want(t, s, 405, "POST", "/edges/tls/"+s.Parents.TLSEdge+"/policy", `{}`)
	equal(t, "Allow of a module", got.header.Get("Allow"), "DELETE, GET, HEAD, PUT")
}

func TestDescription_of255Bytes(t *testing.T) {
	t.Parallel()
	s := Start(t)
	text := strings.Repeat("é", 127) + "e"
	got := want(t, s, 201, "POST", "/ssh_credentials", asJSON(map[string]string{
		"public_key": keys.PublicKeyFor("a"), "description": text, "metadata": strings.Repeat("m", 4096),
	}))
	equal(t, "description", got.text("description"), text)
}
