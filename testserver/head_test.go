package testserver

import (
	"slices"
	"testing"
)

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
	for _, path := range []string{"/ssh_credentials/", "/_testserver/stats/"} {
		equal(t, path, want(t, s, 404, "GET", path, "").text("msg"), "unknown API path: remove the slash at its end")
	}
	equal(t, "status without a key", send(t, s, "HEAD", "/ssh_credentials", "", as("")).status, 401)
	equal(t, "status of a reset", send(t, s, "HEAD", "/_testserver/reset", "").status, 405)
	equal(t, "status of the read-only key", send(t, s, "HEAD", "/ssh_credentials", "", as(s.ReadOnlyKey)).status, 200)
	if log := s.Requests(); !slices.ContainsFunc(log, func(r Request) bool { return r.Method == "HEAD" && r.Path == "/ssh_credentials" }) {
		t.Errorf("the log shows no HEAD: %v", log)
	}
}
