package api

import (
	"errors"
	"maps"
	"net/http"
	"strings"
	"testing"
)

const (
	policyPath = "/edges/tls/edgtls_1/policy"
	getPolicy  = "GET " + policyPath
	getEdge    = "GET /edges/tls/edgtls_1"
	listEdges  = "GET /edges/tls"
	policyBody = `{"enabled":false,"inbound":[],"outbound":null}`
)

// edgeWith returns a response with an edge whose policy is a JSON value.
func edgeWith(policy string) http.HandlerFunc {
	return body(200, `{"id":"edgtls_1","hostports":[],"policy":`+policy+`}`)
}

// A parentAnswer is what a service says about the parent of a module.
type parentAnswer struct {
	name    string
	answers map[string]http.HandlerFunc
	set     bool   // the parent contains the module
	absent  bool   // the parent does not exist
	unset   bool   // the parent shows that the module is not set
	fails   string // text of the error if the parent cannot be read
	root    bool   // the service has no such parents, so the root list shows that the address is right
}

var parentAnswers = []parentAnswer{
	{name: "contains it", answers: map[string]http.HandlerFunc{getEdge: edgeWith(policyBody)}, set: true, fails: "its parent edgtls_1 contains it"},
	{name: "null", answers: map[string]http.HandlerFunc{getEdge: edgeWith(`null`)}, unset: true},
	{name: "empty object", answers: map[string]http.HandlerFunc{getEdge: edgeWith(`{ }`)}},
	{name: "lacks the member", answers: map[string]http.HandlerFunc{getEdge: body(200, `{"id":"edgtls_1","hostports":[]}`)}},
	{name: "404 everywhere", answers: map[string]http.HandlerFunc{}, root: true},
	{name: "501", answers: map[string]http.HandlerFunc{getEdge: body(501, `{"msg":"no such operation"}`)}, root: true},
	{name: "gone", answers: map[string]http.HandlerFunc{listEdges: body(200, `{"tls_edges":[]}`)}, absent: true},
	{name: "404, but in the list", answers: map[string]http.HandlerFunc{listEdges: body(200, `{"tls_edges":[{"id":"edgtls_1"}]}`)}, fails: "GET BASE/edges/tls contains it"},
	{name: "403", answers: map[string]http.HandlerFunc{getEdge: body(403, `{"msg":"no edges"}`)}, fails: "403 Forbidden: no edges"},
	{name: "another edge", answers: map[string]http.HandlerFunc{getEdge: body(200, `{"id":"edgtls_2","policy":null}`)}, fails: `expected the ID "edgtls_1"`},
	{name: "page", answers: map[string]http.HandlerFunc{getEdge: page(200)}, fails: "not a JSON object"},
}

// serveModule serves a module with a parent, and the root list.
func serveModule(t *testing.T, parent parentAnswer, more map[string]http.HandlerFunc) (*routes, *Client) {
	t.Helper()
	s := &routes{answers: map[string]http.HandlerFunc{listBackend: body(200, noBackends)}}
	maps.Copy(s.answers, parent.answers)
	maps.Copy(s.answers, more)
	return s, serve(t, s.ServeHTTP, func(c *Config) { c.MaxRetries = 0 })
}

// unsetAnswers are responses to a GET of a module that is not set.
var unsetAnswers = map[string]http.HandlerFunc{
	"404": body(404, notFound), "404 page": page(404), "410": body(410, `{}`), "204": body(204, ""), "null": body(200, `null`), "empty object": body(200, ` { } `),
}

// The parent that answers makes the 404 true, unless it shows the module. An empty object
// is a module with the defaults if the module was set before, and the parent does not say
// otherwise.
func TestModule_isGoneIfTheParentAnswers(t *testing.T) {
	t.Parallel()
	for _, parent := range parentAnswers {
		for name, answer := range unsetAnswers {
			for _, prior := range []bool{false, true} {
				s, client := serveModule(t, parent, map[string]http.HandlerFunc{getPolicy: answer})
				object, err := TLSEdgePolicy.Of(client, "edgtls_1").Get(t.Context(), prior)
				gets, roots := s.count(getPolicy), s.count(listBackend)
				what := parent.name + ", " + name
				_, unconfirmed := errors.AsType[*UnconfirmedError](err)
				wantGets := 2
				if parent.absent {
					wantGets = 1
				}
				switch {
				case parent.set && name == "empty object" && prior:
					if err != nil || object.Enabled != nil {
						t.Errorf("%s: got %v, %v", what, object, err)
					}
				case parent.fails != "":
					if !unconfirmed || IsGone(err) {
						t.Errorf("%s: got %v, %v", what, object, err)
						continue
					}
					contains(t, err.Error(), "read TLS edge policy edgtls_1: ", strings.ReplaceAll(parent.fails, "BASE", client.base))
				case name == "empty object" && prior && !parent.unset && !parent.absent:
					if err != nil || object.Enabled != nil {
						t.Errorf("%s: got %v, %v", what, object, err)
					}
				case !IsGone(err) || gets != wantGets || parent.root != (roots == 1):
					t.Errorf("%s: got %v, %v after %d GETs and %d lists of backends", what, object, err, gets, roots)
				}
			}
		}
	}
}

// A creation asks the module itself, and believes a gateway only with a second witness.
func TestModule_isSet(t *testing.T) {
	t.Parallel()
	for _, parent := range parentAnswers {
		for name, answer := range unsetAnswers {
			s, client := serveModule(t, parent, map[string]http.HandlerFunc{getPolicy: answer})
			set, err := TLSEdgePolicy.Of(client, "edgtls_1").IsSet(t.Context())
			sure := name != "404 page" && name != "204"
			if set || (err == nil) != (sure || parent.fails == "") || sure && s.count(getPolicy) != 1 {
				t.Errorf("%s, %s: got %t, %v after %d GETs", parent.name, name, set, err, s.count(getPolicy))
			}
		}
	}
	for want, answer := range map[string]http.HandlerFunc{"": body(200, policyBody), "403 Forbidden: no policies": body(403, `{"msg":"no policies"}`)} {
		_, client := serveModule(t, parentAnswer{}, map[string]http.HandlerFunc{getPolicy: answer})
		set, err := TLSEdgePolicy.Of(client, "edgtls_1").IsSet(t.Context())
		if set != (want == "") || (err != nil) != (want != "") {
			t.Errorf("got %t, %v, want %q", set, err, want)
		} else if err != nil {
			contains(t, err.Error(), "read TLS edge policy edgtls_1: ", want)
		}
	}
}

func TestModule_isNoSingle404WithoutAParent(t *testing.T) {
	t.Parallel()
	contractOnly := parentAnswer{}
	for name, test := range map[string]struct {
		answers map[string]http.HandlerFunc
		want    string // "" if the module is found
	}{
		"found by the second GET": {map[string]http.HandlerFunc{getPolicy: inOrder(body(404, notFound), body(200, policyBody))}, ""},
		"second GET fails":        {map[string]http.HandlerFunc{getPolicy: inOrder(body(404, notFound), body(403, `{"msg":"not you"}`))}, "403 Forbidden: not you"},
		"404 for the root list":   {map[string]http.HandlerFunc{listBackend: body(404, notFound)}, "GET /backends/failover: 404 Not Found"},
		"page for the root list":  {map[string]http.HandlerFunc{listBackend: page(200)}, "GET /backends/failover: the response (200) is not a JSON object"},
		"no list in it":           {map[string]http.HandlerFunc{listBackend: body(200, `{}`)}, "GET /backends/failover: unexpected response"},
	} {
		_, client := serveModule(t, contractOnly, test.answers)
		_, err := TLSEdgePolicy.Of(client, "edgtls_1").Get(t.Context(), true)
		if (err == nil) != (test.want == "") || IsGone(err) {
			t.Errorf("%s: got %v", name, err)
		} else if err != nil {
			contains(t, err.Error(), "read TLS edge policy edgtls_1: ", test.want)
		}
	}
}

func TestModule_deletionOfWhatIsNotSet(t *testing.T) {
	t.Parallel()
	const deletePolicy = "DELETE " + policyPath
	for _, parent := range parentAnswers {
		for name, answer := range unsetAnswers {
			_, client := serveModule(t, parent, map[string]http.HandlerFunc{deletePolicy: body(404, notFound), getPolicy: answer})
			err := deletion(TLSEdgePolicy.Of(client, "edgtls_1").Delete(t.Context()))
			if done := parent.fails == ""; done != (err == nil) {
				t.Errorf("parent %s, module %s: got %v", parent.name, name, err)
			}
		}
		s, client := serveModule(t, parent, map[string]http.HandlerFunc{deletePolicy: body(404, notFound), getPolicy: body(200, policyBody)})
		err := deletion(TLSEdgePolicy.Of(client, "edgtls_1").Delete(t.Context()))
		if err == nil || s.count(deletePolicy) != 1 {
			t.Errorf("parent %s, module set: got %v after %d requests", parent.name, err, s.count(deletePolicy))
			continue
		}
		contains(t, err.Error(), "delete TLS edge policy edgtls_1: ", "404 Not Found", "still set")
	}
}

func TestModule_putReadsWhatTheAnswerDoesNotContain(t *testing.T) {
	t.Parallel()
	const putPolicy = "PUT " + policyPath
	for name, answer := range map[string]http.HandlerFunc{
		"204": body(204, ""), "empty": body(200, ""), "null": body(200, `null`), "empty object": body(200, `{}`), "other form": body(200, `{"enabled":"no"}`),
	} {
		s, client := serveModule(t, parentAnswer{}, map[string]http.HandlerFunc{putPolicy: answer, getPolicy: body(200, policyBody)})
		object, err := TLSEdgePolicy.Of(client, "edgtls_1").Put(t.Context(), EdgePolicy{Enabled: new(bool)})
		if err != nil || object.Enabled == nil || *object.Enabled || s.count(putPolicy) != 1 {
			t.Errorf("%s: got %+v, %v", name, object, err)
		}
		_, client = serveModule(t, parentAnswer{}, map[string]http.HandlerFunc{putPolicy: answer, getPolicy: body(200, `{}`)})
		if object, err := TLSEdgePolicy.Of(client, "edgtls_1").Put(t.Context(), EdgePolicy{}); err != nil || object.Enabled != nil {
			t.Errorf("%s, then the defaults: got %+v, %v", name, object, err)
		}
	}
}

// The response to a PUT is lost, and the module is read.
func TestModule_findAfterALostAnswer(t *testing.T) {
	t.Parallel()
	const putPolicy = "PUT " + policyPath
	for name, test := range map[string]struct {
		put, get http.HandlerFunc
		found    bool
	}{
		"processed":             {func(w http.ResponseWriter, _ *http.Request) { hangUp(w) }, body(200, policyBody), true},
		"with the defaults":     {func(w http.ResponseWriter, _ *http.Request) { hangUp(w) }, body(200, `{}`), true},
		"not processed":         {func(w http.ResponseWriter, _ *http.Request) { hangUp(w) }, body(404, notFound), false},
		"lost, then refused":    {inOrder(func(w http.ResponseWriter, _ *http.Request) { hangUp(w) }, body(404, notFound)), body(404, notFound), false},
		"503, processed":        {body(503, `{"msg":"down"}`), body(200, policyBody), true},
		"a page, processed":     {page(403), body(200, policyBody), true},
		"a page, not processed": {page(404), body(200, `null`), false},
	} {
		s := &routes{answers: map[string]http.HandlerFunc{listBackend: body(200, noBackends), putPolicy: test.put, getPolicy: test.get}}
		client := serve(t, s.ServeHTTP)
		policy := TLSEdgePolicy.Of(client, "edgtls_1")
		if _, err := policy.Put(t.Context(), EdgePolicy{}); err == nil {
			t.Errorf("%s: no error", name)
		} else if _, unknown := errors.AsType[*UnknownOutcomeError](err); !unknown {
			t.Errorf("%s: got %v, want an unknown outcome", name, err)
		}
		if object, err := policy.Find(t.Context()); (object != nil) != test.found || IsGone(err) == test.found {
			t.Errorf("%s: found %v, %v", name, object, err)
		}
	}
}
