package testserver

import (
	"fmt"
	"strings"
	"testing"
)

func TestEdge_life(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"tls", "tcp"} {
		t.Run(kind, func(t *testing.T) {
			s := Start(t)
			group := s.Create("/backends/tunnel_group", `{"labels":{"a":"b"}}`)
			object := want(t, s, 201, "POST", "/edges/"+kind, `{"hostports":["b.example:443","a.example:443"],"backend":{"backend_id":"`+group+`"}}`)
			path := "/edges/" + kind + "/" + object.text("id")
			if !strings.HasPrefix(object.text("id"), "edg"+kind+"_") || object.text("uri") != s.URL+path {
				t.Errorf("id %s, uri %s", object.text("id"), object.text("uri"))
			}
			equal(t, "hostports in order", object.body["hostports"], []string{"b.example:443", "a.example:443"})
			equal(t, "backend", object.body["backend"], map[string]any{"enabled": true,
				"backend": map[string]string{"id": group, "uri": s.URL + "/backends/tunnel_group/" + group}})
			want(t, s, 409, "DELETE", "/backends/tunnel_group/"+group, "")
			changed := want(t, s, 200, "PATCH", path, `{"description":"d","hostports":[]}`)
			equal(t, "hostports", changed.body["hostports"], map[string]any{"tls": []string{}, "tcp": nil}[kind])
			equal(t, "backend omitted", changed.body["backend"], object.body["backend"])
			equal(t, "blamed field", want(t, s, 400, "PATCH", path, `{"backend":{"backend_id":"bkdtg_none"}}`).field(), "backend.backend_id")
			equal(t, "blamed field", want(t, s, 400, "PATCH", path, `{"backend":{"backend_id":"`+group+`","x":1}}`).field(), "backend.x")

			want(t, s, 200, "PUT", path+"/policy", `{}`)
			equal(t, "policy of the edge", want(t, s, 200, "GET", path, "").body["policy"],
				map[string]any{"enabled": true, "inbound": []any{}, "outbound": nil})
			want(t, s, 204, "DELETE", path, "")
			want(t, s, 404, "GET", path+"/policy", "")
			want(t, s, 204, "DELETE", "/backends/tunnel_group/"+group, "")
		})
	}
}

func TestPolicy_isReplacedAsAWhole(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/edges/tls/%s/policy", "/edges/tcp/%s/policy"} {
		t.Run(path, func(t *testing.T) {
			s := Start(t)
			id := s.Parents.TLSEdge
			if strings.Contains(path, "tcp") {
				id = s.Parents.TCPEdge
			}
			path := fmt.Sprintf(path, id)
			want(t, s, 404, "GET", path, "")
			body := `{"enabled":false,"inbound":[{"name":"r","expressions":["conn.client_ip == '1.2.3.4'"],"actions":[` +
				`{"type":"log","config":{"metadata":{"n":1.50,"s":"<&>","nested":{"list":[1,null]}}}},{"type":"new-thing","config":{"big":12345678901234567890}},{"type":"deny"}]}],` +
				`"outbound":[{"name":"r","actions":[{"type":"log"}]},{"name":"r","actions":[{"type":"log"}]}]}`
			stored := want(t, s, 200, "PUT", path, body)
			equal(t, "policy", stored.raw, `{"enabled":false,"inbound":[{"name":"r","expressions":["conn.client_ip == '1.2.3.4'"],"actions":[`+
				`{"type":"log","config":{"metadata":{"n":1.50,"nested":{"list":[1,null]},"s":"<&>"}}},{"type":"new-thing","config":{"big":12345678901234567890}},{"type":"deny","config":null}]}],`+
				`"outbound":[{"name":"r","expressions":[],"actions":[{"type":"log","config":null}]},{"name":"r","expressions":[],"actions":[{"type":"log","config":null}]}]}`)
			equal(t, "what GET gives", want(t, s, 200, "GET", path, "").raw, stored.raw)
			equal(t, "an empty policy", want(t, s, 200, "PUT", path, `{}`).raw, `{"enabled":true,"inbound":[],"outbound":null}`)
			equal(t, "an empty outbound", want(t, s, 200, "PUT", path, `{"outbound":[],"inbound":null,"enabled":null}`).raw, `{"enabled":true,"inbound":[],"outbound":null}`)
			want(t, s, 204, "DELETE", path, "")
			want(t, s, 404, "GET", path, "")
			want(t, s, 204, "DELETE", path, "")
		})
	}
}

func TestPolicy_rules(t *testing.T) {
	t.Parallel()
	s := Start(t)
	path := "/edges/tls/" + s.Parents.TLSEdge + "/policy"
	rules := func(n int, rule string) string {
		return `{"inbound":[` + strings.TrimSuffix(strings.Repeat(rule+",", n), ",") + `]}`
	}
	action := func(actions string) string {
		return rules(1, `{"name":"a","actions":[`+actions+`]}`)
	}
	outbound := func(actions string) string {
		return strings.Replace(action(actions), "inbound", "outbound", 1)
	}
	expressions := func(n int, expression string) string {
		return rules(1, `{"actions":[{"type":"deny"}],"expressions":[`+strings.TrimSuffix(strings.Repeat(`"`+expression+`",`, n), ",")+`]}`)
	}
	const deny = `{"type":"deny"}`
	for name, test := range map[string]struct{ body, field string }{
		"100 rules":               {rules(100, `{"actions":[`+deny+`]}`), ""},
		"101 rules":               {rules(101, `{"actions":[`+deny+`]}`), "inbound"},
		"16 expressions":          {expressions(16, "a.b(c) in [1, 2] ? x : !y"), ""},
		"17 expressions":          {expressions(17, "true"), "inbound[0].expressions"},
		"macro":                   {expressions(1, "list.exists(x, x == 1) && has(a.b)"), ""},
		"not CEL":                 {expressions(1, "a = 1"), "inbound[0].expressions[0]"},
		"empty expression":        {expressions(1, ""), "inbound[0].expressions[0]"},
		"unclosed":                {expressions(1, "(a"), "inbound[0].expressions[0]"},
		"no actions":              {rules(1, `{"name":"a"}`), "inbound[0].actions"},
		"null actions":            {rules(1, `{"name":"a","actions":null}`), "inbound[0].actions"},
		"empty actions":           {action(``), "inbound[0].actions"},
		"deny with config":        {action(`{"type":"deny","config":{"status_code":403}}`), ""},
		"deny with empty config":  {action(`{"type":"deny","config":{}}`), ""},
		"deny with null":          {action(`{"type":"deny","config":null}`), ""},
		"after deny":              {action(deny + `,{"type":"log"}`), "inbound[0].actions[1]"},
		"deny twice":              {action(deny + `,` + deny), "inbound[0].actions[1]"},
		"before deny":             {action(`{"type":"log"},` + deny), ""},
		"deny in outbound":        {outbound(deny), "outbound[0].actions[0].type"},
		"restrict-ips outbound":   {outbound(`{"type":"log"},{"type":"restrict-ips"}`), "outbound[0].actions[1].type"},
		"log in outbound":         {outbound(`{"type":"log"}`), ""},
		"unknown type outbound":   {outbound(`{"type":"new-thing"}`), ""},
		"log without metadata":    {action(`{"type":"log","config":{}}`), ""},
		"log with a string":       {action(`{"type":"log","config":{"metadata":"m"}}`), "inbound[0].actions[0].config.metadata"},
		"restrict-ips":            {action(`{"type":"restrict-ips","config":{"allow":["10.0.0.0/8"]}}`), ""},
		"computed range":          {action(`{"type":"restrict-ips","config":{"allow":["10.0.0.0/8","${vars.office}"]}}`), ""},
		"config is a string":      {action(`{"type":"log","config":"{}"}`), "inbound[0].actions[0].config"},
		"no type":                 {action(`{}`), "inbound[0].actions[0].type"},
		"type in capitals":        {action(`{"type":"Deny"}`), "inbound[0].actions[0].type"},
		"type begins with a dash": {action(`{"type":"-deny"}`), "inbound[0].actions[0].type"},
		"unknown rule field":      {rules(2, `{"actions":[`+deny+`],"x":1}`), "inbound[0].x"},
		"unknown action field":    {action(`{"type":"deny","x":1}`), "inbound[0].actions[0].x"},
		"rule is a string":        {rules(1, `"a"`), "inbound[0]"},
		"enabled is a string":     {`{"enabled":"true"}`, "enabled"},
		"unknown field":           {`{"inbounds":[]}`, "inbounds"},
	} {
		t.Run(name, func(t *testing.T) {
			got := send(t, s, "PUT", path, test.body)
			if test.field == "" && got.status != 200 || test.field != "" && got.status != 400 || got.field() != test.field {
				t.Errorf("status %d blames %q, want %q: %s", got.status, got.field(), test.field, got.raw)
			}
		})
	}
}

func TestRouteModule_life(t *testing.T) {
	t.Parallel()
	s := Start(t)
	route := "/edges/https/" + s.Parents.HTTPSEdge + "/routes/" + s.Parents.HTTPSEdgeRoute
	for _, name := range []string{"websocket_tcp_converter", "compression"} {
		path := route + "/" + name
		want(t, s, 404, "GET", path, "")
		equal(t, "default", want(t, s, 200, "PUT", path, `{}`).raw, `{"enabled":true}`)
		equal(t, "off", want(t, s, 200, "PUT", path, `{"enabled":false}`).raw, `{"enabled":false}`)
		equal(t, "what GET gives", want(t, s, 200, "GET", path, "").raw, `{"enabled":false}`)
		equal(t, "module of the route", want(t, s, 200, "GET", route, "").body[name], map[string]bool{"enabled": false})
		equal(t, "blamed field", want(t, s, 400, "PUT", path, `{"enabled":1}`).field(), "enabled")
		want(t, s, 400, "PUT", path, "")
		want(t, s, 404, "PUT", "/edges/https/edghts_none/routes/"+s.Parents.HTTPSEdgeRoute+"/"+name, `{}`)
		want(t, s, 404, "PUT", "/edges/https/"+s.Parents.HTTPSEdge+"/routes/edghtsrt_none/"+name, `{}`)
		want(t, s, 204, "DELETE", path, "")
		want(t, s, 404, "GET", path, "")
		want(t, s, 204, "DELETE", path, "")
	}
	want(t, s, 200, "PUT", route+"/compression", `{}`)
	equal(t, "the other module", want(t, s, 200, "GET", route, "").body["websocket_tcp_converter"], nil)
}

func TestHTTPSEdge_life(t *testing.T) {
	t.Parallel()
	s := Start(t)
	edge := want(t, s, 201, "POST", "/edges/https", `{"hostports":["a.example:443"]}`).text("id")
	routes := "/edges/https/" + edge + "/routes"
	group := s.Create("/backends/tunnel_group", `{"labels":{"a":"b"}}`)
	route := want(t, s, 201, "POST", routes, `{"match_type":"exact_path","match":"/a","backend":{"enabled":false,"backend_id":"`+group+`"}}`)
	id := route.text("id")
	equal(t, "edge_id", route.text("edge_id"), edge)
	equal(t, "uri", route.text("uri"), s.URL+routes+"/"+id)
	equal(t, "match", want(t, s, 200, "PATCH", routes+"/"+id, `{"match":"/b"}`).text("match"), "/b")
	equal(t, "blamed field", want(t, s, 400, "PATCH", routes+"/"+id, `{"match_type":"regex"}`).field(), "match_type")
	want(t, s, 409, "DELETE", "/backends/tunnel_group/"+group, "")
	want(t, s, 404, "POST", "/edges/https/edghts_none/routes", `{}`)
	listed := want(t, s, 200, "GET", "/edges/https/"+edge, "").body["routes"].([]any)
	equal(t, "routes of the edge", listed, []any{want(t, s, 200, "GET", routes+"/"+id, "").body})
	equal(t, "description", want(t, s, 200, "PATCH", "/edges/https/"+edge, `{"description":"d"}`).text("description"), "d")
	want(t, s, 204, "DELETE", "/edges/https/"+edge, "")
	want(t, s, 404, "GET", routes+"/"+id, "")
	want(t, s, 204, "DELETE", "/backends/tunnel_group/"+group, "")
}

func TestEventSource_life(t *testing.T) {
	t.Parallel()
	s := Start(t)
	subscription := want(t, s, 201, "POST", "/event_subscriptions", `{"sources":[{"type":"b_created.v0"},{"type":"a_created.v1"}],"description":"d"}`)
	path := "/event_subscriptions/" + subscription.text("id")
	sources := path + "/sources"
	source := func(name string) map[string]string {
		return map[string]string{"type": name, "uri": s.URL + sources + "/" + name}
	}
	object := want(t, s, 201, "POST", sources, `{"type":"ip_policy_created.v0"}`)
	equal(t, "source", object.body, source("ip_policy_created.v0"))
	want(t, s, 409, "POST", sources, `{"type":"ip_policy_created.v0"}`)
	equal(t, "what GET gives", want(t, s, 200, "GET", sources+"/ip_policy_created.v0", "").body, object.body)
	equal(t, "what PATCH gives", want(t, s, 200, "PATCH", sources+"/ip_policy_created.v0", `{}`).body, object.body)
	want(t, s, 400, "PATCH", sources+"/ip_policy_created.v0", `{"type":"x.v0"}`)
	want(t, s, 404, "PATCH", sources+"/none.v0", `{}`)
	list := want(t, s, 200, "GET", sources, "")
	equal(t, "list", list.body, map[string]any{"uri": s.URL + sources,
		"sources": []any{source("b_created.v0"), source("a_created.v1"), source("ip_policy_created.v0")}})
	equal(t, "sources of the subscription", want(t, s, 200, "GET", path, "").body["sources"], list.body["sources"])
	for _, name := range []string{"", "a", "a.v", ".v0", "a.v0 ", "a b.v0", "a/b.v0", "a.v0x"} {
		body := asJSON(map[string]string{"type": name})
		equal(t, "blamed field for "+name, want(t, s, 400, "POST", sources, body).field(), "type")
		equal(t, "blamed field for "+name, want(t, s, 400, "POST", "/event_subscriptions", `{"sources":[`+body+`]}`).field(), "sources[0].type")
	}
	want(t, s, 400, "POST", sources, `{}`)
	want(t, s, 400, "POST", "/event_subscriptions", `{"sources":[{"type":"a.v0"},{"type":"a.v0"}]}`)
	want(t, s, 204, "DELETE", sources+"/a_created.v1", "")
	want(t, s, 404, "DELETE", sources+"/a_created.v1", "")
	want(t, s, 404, "GET", sources+"/a_created.v1", "")
	for _, method := range []string{"GET", "POST"} {
		want(t, s, 404, method, "/event_subscriptions/esb_none/sources", map[string]string{"POST": `{"type":"a.v0"}`}[method])
	}
	want(t, s, 204, "DELETE", path, "")
	want(t, s, 404, "GET", sources, "")
	want(t, s, 404, "GET", sources+"/b_created.v0", "")
	equal(t, "other subscription", want(t, s, 200, "GET", "/event_subscriptions/"+s.Parents.EventSubscription+"/sources", "").body["sources"], []any{})
}
