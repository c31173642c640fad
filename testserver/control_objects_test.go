package testserver

import (
	"os"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

// forced returns the control path that skips the validation rules for new
// objects.
func forced(path string) string {
	return "/_testserver/objects" + path
}

func TestControlObjects_skipTheRules(t *testing.T) {
	t.Parallel()
	s := Start(t)
	weak := issue(t, nil, newKey(t, "rsa1024"), nil)
	edge := "/edges/tls/" + s.Parents.TLSEdge
	for path, body := range map[string]string{
		"/ssh_credentials":       asJSON(map[string]any{"public_key": sshLine(t, newKey(t, "rsa1024")), "acl": []string{"allow:x"}, "owner_id": "usr_gone", "description": strings.Repeat("x", 300)}),
		"/backends/failover":     `{"backends":["bkdtg_gone","bkdtg_gone"]}`,
		"/backends/tunnel_group": `{"labels":{"":"a","b=c":"d"},"tunnels":[{"id":"tn_1","uri":"https://api.example/tunnels/tn_1"},"tn_2",3,{"region":"eu"}]}`,
		"/tls_certificates":      asJSON(map[string]any{"certificate_pem": weak.pem, "issued_at": "2026-01-01T00:00:00Z"}),
		"/edges/tls":             `{"hostports":["no port"],"backend":{"backend_id":"bkdtg_gone"}}`,
		"/edges/https/" + s.Parents.HTTPSEdge + "/routes": `{"match_type":"exact_path","match":"/"}`,
	} {
		want(t, s, 400, "POST", path, body)
		object := want(t, s, 201, "POST", forced(path), body)
		if strings.HasSuffix(path, "routes") {
			continue
		}
		equal(t, "what a client reads", want(t, s, 200, "GET", path+"/"+object.text("id"), "").body, object.body)
		want(t, s, 200, "GET", path, "")
	}
	policy := `{"inbound":[{"name":"a","expressions":["("]},{"actions":[{"type":"deny"},{"type":"LOG"}]}],"outbound":[{"actions":[{"type":"deny"}]}]}`
	want(t, s, 400, "PUT", edge+"/policy", policy)
	want(t, s, 200, "PUT", forced(edge+"/policy"), policy)
	want(t, s, 200, "GET", edge, "")
	want(t, s, 200, "PATCH", forced(edge), `{"hostports":["a"]}`)
	equal(t, "what a client reads", want(t, s, 200, "GET", forced(edge), "").body["hostports"], []string{"a"})
}

// A copy of an account has owners that this server does not know, and can have
// references to what does not exist.
func TestControlObjects_copyOfAnAccount(t *testing.T) {
	t.Parallel()
	s := Start(t)
	create := func(status int, owner string) {
		t.Helper()
		want(t, s, status, "POST", "/ssh_credentials", asJSON(map[string]string{"public_key": sshLine(t, newKey(t, "ed25519")), "owner_id": owner}))
	}
	create(400, "usr_copied")
	want(t, s, 201, "POST", forced("/ssh_credentials"), asJSON(map[string]string{"public_key": sshLine(t, newKey(t, "ed25519")), "owner_id": "usr_copied"}))
	create(201, "usr_copied")
	create(400, "usr_other")

	for id, path := range map[string]string{"bkdtg_gone": "/backends/tunnel_group/", "bkdfo_gone": "/backends/failover/", "bkdhr_gone": "/backends/http_response/"} {
		edge := want(t, s, 201, "POST", forced("/edges/tls"), `{"backend":{"backend_id":"`+id+`"}}`)
		equal(t, "backend", edge.body["backend"].(map[string]any)["backend"], map[string]string{"id": id, "uri": s.URL + path + id})
	}

	domain := "/reserved_domains/" + want(t, s, 201, "POST", "/reserved_domains", `{"domain":"used.example.com"}`).body["id"].(string)
	want(t, s, 201, "POST", "/edges/https", `{"hostports":["used.example.com:443"]}`)
	want(t, s, 409, "DELETE", domain, "")
	want(t, s, 204, "DELETE", forced(domain), "")
}

func TestControlObjects_chooseIDAndTime(t *testing.T) {
	t.Parallel()
	s := Start(t)
	body := `{"id":"bkdtg_mine","created_at":"2001-02-03T04:05:06+01:00","labels":{"a":"b"}}`
	equal(t, "field", want(t, s, 400, "POST", "/backends/tunnel_group", body).field(), "created_at")
	object := want(t, s, 201, "POST", forced("/backends/tunnel_group"), body)
	equal(t, "id and created_at", []string{object.text("id"), object.text("created_at")}, []string{"bkdtg_mine", "2001-02-03T03:05:06Z"})
	want(t, s, 409, "POST", forced("/backends/tunnel_group"), body)
	equal(t, "field", want(t, s, 400, "POST", forced("/backends/tunnel_group"), `{"id":"bkdtg_a/b"}`).field(), "id")
	equal(t, "field of an id of another kind", want(t, s, 400, "POST", forced("/backends/tunnel_group"), `{"id":"bkdhr_a"}`).field(), "id")
	equal(t, "field", want(t, s, 400, "POST", forced("/backends/tunnel_group"), `{"created_at":"9999-12-31T23:59:59-10:00"}`).field(), "created_at")
	equal(t, "field", want(t, s, 400, "POST", forced("/backends/tunnel_group"), `{"labels":{"a":1}}`).field(), "labels.a")
	equal(t, "field", want(t, s, 400, "POST", forced("/ssh_host_certificates"), asJSON(map[string]string{"public_key": keys.PublicKeyFor("a")})).field(), "ssh_certificate_authority_id")
}

func TestControlObjects_deleteWhatIsInUse(t *testing.T) {
	t.Parallel()
	s := Start(t, WithBehavior("rate_limit=1/1h"), WithRules(Rule{Behavior: "500"}), WithBehavior("seed=1"))
	child := s.Create("/backends/http_response", "{}")
	parent := s.Create("/backends/failover", children(child))
	want(t, s, 204, "DELETE", forced("/backends/http_response/"+child), "")
	want(t, s, 404, "GET", forced("/backends/http_response/"+child), "")
	equal(t, "children", want(t, s, 200, "GET", forced("/backends/failover/"+parent), "").body["backends"], []string{child})
	equal(t, "notes", notes(s), []string{"drift, DELETE /backends/http_response/" + child})
	want(t, s, 404, "GET", forced("/nothing"), "")
	want(t, s, 405, "PUT", forced("/backends/failover"), "{}")
	want(t, s, 405, "OPTIONS", forced("/backends/failover"), "")
	equal(t, "counted requests", s.Stats().Total, 0)
}

const someSeed = `[
	{"path": "/backends/tunnel_group", "body": {"id": "bkdtg_one", "labels": {"a": "b"}}},
	{"path": "/edges/tls", "body": {"id": "edgtls_one", "backend": {"backend_id": "bkdtg_one"}}},
	{"path": "/edges/tls/edgtls_one/policy", "body": {"enabled": false}},
	{"path": "/event_subscriptions", "body": {"id": "esb_one"}},
	{"path": "/event_subscriptions/esb_one/sources", "body": {"type": "domain_created.v0"}}]`

func TestSeed_isWhatResetGoesBackTo(t *testing.T) {
	t.Parallel()
	s := Start(t)
	if err := s.Seed([]byte(someSeed)); err != nil {
		t.Fatal(err)
	}
	want(t, s, 200, "GET", "/event_subscriptions/esb_one/sources/domain_created.v0", "")
	want(t, s, 409, "DELETE", "/backends/tunnel_group/bkdtg_one", "")
	s.ForceDelete("/backends/tunnel_group/bkdtg_one")
	s.Reset()
	equal(t, "policy", want(t, s, 200, "GET", "/edges/tls/edgtls_one/policy", "").body["enabled"], false)
	want(t, s, 200, "GET", "/backends/tunnel_group/bkdtg_one", "")
}

func TestSeed_isAppliedToAStoreOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	first := Start(t, WithStore(store))
	first.Delete("/edges/tcp/" + first.Parents.TCPEdge)
	if err := first.Seed([]byte(`[{"path":"/backends/tunnel_group","body":{"id":"bkdtg_one"}},{"path":"/edges/tls","body":{"x":1}}]`)); err == nil {
		t.Error("a seed with an unknown member is accepted")
	}
	killed := t.TempDir()
	err := store.Batch(func() error { // a kill halfway leaves the file as it is then
		first.ForceCreate("/backends/tunnel_group", `{"id":"bkdtg_one","labels":{"a":"b"}}`)
		defer first.ForceDelete("/backends/tunnel_group/bkdtg_one")
		return os.CopyFS(killed, os.DirFS(dir))
	})
	if halfway := New(WithStore(openStore(t, killed))); err != nil || halfway.Exists("/backends/tunnel_group/bkdtg_one") {
		t.Errorf("half of a seed exists: %v", err)
	}
	_ = store.Close()

	store = openStore(t, dir)
	second := Start(t, WithStore(store))
	if err := second.Seed([]byte(someSeed)); err != nil {
		t.Fatal(err)
	}
	equal(t, "labels", second.Get("/backends/tunnel_group/bkdtg_one")["labels"], map[string]string{"a": "b"})
	second.Delete("/edges/tls/edgtls_one")
	_ = store.Close()

	third := Start(t, WithStore(openStore(t, dir)))
	if err := third.Seed([]byte(someSeed)); err != nil {
		t.Fatal(err)
	}
	equal(t, "a deleted object exists", third.Exists("/edges/tls/edgtls_one"), false)
}
