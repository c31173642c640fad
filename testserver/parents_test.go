package testserver

import (
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

func TestHTTPResponseBackend_values(t *testing.T) {
	t.Parallel()
	s := Start(t)
	const collection = "/backends/http_response"
	object := want(t, s, 201, "POST", collection, `{"body":"I'm a teapot","headers":{"Content-Type":"text/plain","X-A":""},"status_code":418}`)
	path := collection + "/" + object.text("id")
	equal(t, "headers in lower case", object.body["headers"], map[string]string{"content-type": "text/plain", "x-a": ""})
	equal(t, "cleared headers", form(want(t, s, 200, "PATCH", path, `{"headers":{}}`).body, "headers"), "null")
	for body, field := range map[string]string{
		`{"status_code":1e400}`:             "status_code",
		`{"headers":{"X-A":"1","x-a":""}}`:  "headers",
		`{"headers":{"a b":"1"}}`:           "headers.a b",
		`{"headers":{"X-A":"1\r\nX-B: 2"}}`: "headers.X-A",
		`{"headers":{"X-A":"\u0000"}}`:      "headers.X-A",
	} {
		equal(t, "field of "+body, want(t, s, 400, "PATCH", path, body).field(), field)
	}
	want(t, s, 200, "PATCH", path, `{"headers":{"!#$%&'*+-.^_|~1a":"a\tü "}}`)
	for _, number := range []string{"404.0", "4.04e2"} {
		body := `{"status_code":` + number + `}`
		equal(t, "status_code of "+body, form(want(t, s, 200, "PATCH", path, body).body, "status_code"), "404")
	}
}

func TestHostports_areHostAndPort(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"www.example.com:443", "*.example.com:443", "localhost:1", "10.0.0.1:65535", "[2001:db8::1]:443"} {
		if !keys.ValidHostport(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{"", ":", "www.example.com", ":443", "www.example.com:", "www.example.com:0", "a:65536", "a:http", "*:443", "a b:443", "2001:db8::1", "a.*.b:443", "https://a:443"} {
		if keys.ValidHostport(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestHTTPSEdgeRoute_rules(t *testing.T) {
	t.Parallel()
	s := Start(t)
	edge, backend := s.Create("/edges/https", "{}"), s.Create("/backends/http_response", "{}")
	routes := "/edges/https/" + edge + "/routes"
	object := want(t, s, 201, "POST", routes, `{"match_type":"path_prefix","match":"/a","compression":{},"websocket_tcp_converter":{"enabled":false},"backend":{"backend_id":"`+backend+`"}}`)
	equal(t, "modules", []any{object.body["compression"], object.body["websocket_tcp_converter"]}, []any{nil, map[string]bool{"enabled": false}})
	path := routes + "/" + object.text("id")
	want(t, s, 200, "PATCH", path, `{"match":"/a","compression":{}}`)
	equal(t, "compression", want(t, s, 200, "GET", path+"/compression", "").raw, `{"enabled":true}`)
	for body, field := range map[string]string{
		`{}`:                                             "match_type",
		`{"match_type":"path_prefix"}`:                   "match",
		`{"match_type":"regex","match":"/b"}`:            "match_type",
		`{"match_type":"exact_path","match":"b"}`:        "match",
		`{"match_type":"exact_path","match":"/a"}`:       "match",
		`{"match_type":"exact_path","match":"/b","x":1}`: "x",
	} {
		equal(t, "field of "+body, want(t, s, 400, "POST", routes, body).field(), field)
	}
	other := want(t, s, 201, "POST", routes, `{"match_type":"exact_path","match":"/b"}`)
	equal(t, "field", want(t, s, 400, "PATCH", path, `{"match":"/b"}`).field(), "match")
	want(t, s, 201, "POST", "/edges/https/"+s.Parents.HTTPSEdge+"/routes", `{"match_type":"path_prefix","match":"/a"}`)
	listed := want(t, s, 200, "GET", "/edges/https/"+edge, "").body["routes"].([]any)
	equal(t, "routes of the edge, in the order added", []any{listed[0].(map[string]any)["id"], listed[1].(map[string]any)["id"]}, []string{object.text("id"), other.text("id")})
	equal(t, "route of another edge", want(t, s, 404, "GET", "/edges/https/"+s.Parents.HTTPSEdge+"/routes/"+object.text("id"), "").status, 404)
}

func TestEventSubscription_replacesSourcesAndDestinations(t *testing.T) {
	t.Parallel()
	s := Start(t)
	one, two := s.Create("/event_destinations", `{"target":{"debug":{"log":true}}}`), s.Create("/event_destinations", `{"target":{"debug":{"log":true}}}`)
	object := want(t, s, 201, "POST", "/event_subscriptions", `{"sources":[{"type":"c.v0"},{"type":"a.v0"}],"destination_ids":["`+two+`","`+one+`"]}`)
	path := "/event_subscriptions/" + object.text("id")
	types := func(got result) string {
		var names []string
		for _, source := range got.body["sources"].([]any) {
			names = append(names, strings.TrimSuffix(source.(map[string]any)["type"].(string), ".v0"))
		}
		return strings.Join(names, " ")
	}
	equal(t, "destinations", object.body["destinations"], []any{
		map[string]string{"id": two, "uri": s.URL + "/event_destinations/" + two}, map[string]string{"id": one, "uri": s.URL + "/event_destinations/" + one}})
	equal(t, "sources", types(object), "c a")
	equal(t, "after {}", want(t, s, 200, "PATCH", path, `{}`).body, object.body)
	changed := want(t, s, 200, "PATCH", path, `{"sources":[{"type":"b.v0"},{"type":"a.v0"}],"description":"d"}`)
	equal(t, "sources after a replacement", types(changed), "a b")
	equal(t, "destinations, omitted", changed.body["destinations"], object.body["destinations"])
	want(t, s, 201, "POST", path+"/sources", `{"type":"c.v0"}`)
	equal(t, "sources after an addition", types(want(t, s, 200, "GET", path, "")), "a b c")
	equal(t, "field", want(t, s, 400, "PATCH", path, `{"sources":[{"type":"b.v0"},{"type":"b.v0"}]}`).field(), "sources[1].type")
	equal(t, "field", want(t, s, 400, "PATCH", path, `{"destination_ids":["a b"]}`).field(), "destination_ids[0]")
	cleared := want(t, s, 200, "PATCH", path, `{"sources":[],"destination_ids":[]}`)
	equal(t, "cleared", []any{cleared.body["sources"], cleared.body["destinations"]}, []any{[]any{}, []any{}})
	want(t, s, 404, "GET", path+"/sources/a.v0", "")
}

const debugDestination = `{"target":{"debug":{"log":true}}}`

// TestEventDestination_target checks what a target can be, what an update can
// change, and that no response contains a secret.
func TestEventDestination_target(t *testing.T) {
	t.Parallel()
	s := Start(t)
	const secret = "wJalrXUtnFEMI-K7MDENG-bPxRfiCYEXAMPLEKEY"
	withCreds := `{"target":{"kinesis":{"stream_arn":"arn:aws:kinesis:eu-central-1:1:stream/s","auth":{"creds":{"aws_access_key_id":"AKIA1","aws_secret_access_key":"` + secret + `"}}}}}`
	made := want(t, s, 201, "POST", "/event_destinations", withCreds)
	path := "/event_destinations/" + made.text("id")
	equal(t, "format", made.body["format"], "json")
	target := made.body["target"].(map[string]any)
	equal(t, "unused kind", target["firehose"], nil)
	equal(t, "kind", target["kinesis"].(map[string]any)["auth"].(map[string]any)["creds"], map[string]string{"aws_access_key_id": "AKIA1"})
	for body, field := range map[string]string{
		`{}`:                                     "target",
		`{"target":{"debug":null}}`:              "target",
		`{"target":{"other":{}}}`:                "target.other",
		`{"target":{"datadog":{"service":"s"}}}`: "target.datadog.api_key",
		`{"target":{"debug":{"log":true},"datadog":{"api_key":"k"}}}`: "target",
		`{"format":"xml","target":{"debug":{"log":true}}}`:            "format",
	} {
		equal(t, "field of "+body, want(t, s, 400, "POST", "/event_destinations", body).field(), field)
	}
	equal(t, "another kind", want(t, s, 400, "PATCH", path, debugDestination).field(), "target")
	want(t, s, 200, "PATCH", path, strings.ReplaceAll(withCreds, "AKIA1", "AKIA2"))
	kept := want(t, s, 200, "PATCH", path, `{"description":"d"}`)
	equal(t, "changed target", kept.body["target"].(map[string]any)["kinesis"].(map[string]any)["auth"].(map[string]any)["creds"], map[string]string{"aws_access_key_id": "AKIA2"})
	subscription := s.Create("/event_subscriptions", `{"destination_ids":["`+made.text("id")+`"]}`)
	want(t, s, 409, "DELETE", path, "")
	want(t, s, 400, "POST", "/event_subscriptions", `{"destination_ids":["ed_none"]}`)
	want(t, s, 204, "DELETE", "/event_subscriptions/"+subscription, "")
	want(t, s, 204, "DELETE", path, "")
}
