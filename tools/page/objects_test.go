package main

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"strings"
	"testing"
)

// Objects appear and change, link to each other, and are changed and deleted by hand.
func TestObjects_changeAndLink(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	u.do(view("#objects"))
	u.see(`document.querySelectorAll("#object-list .tag.new").length === 0`) // not the objects of the start
	backend := u.create("/backends/tunnel_group", fields{"description": "as planned", "labels": fields{"app": "web"}})
	row := `[...document.querySelectorAll("#object-list .row")].find((row) => row.textContent.includes("app=web"))`
	u.see(row + `.querySelector(".tag.new") && ` + row + `.querySelector(".tag.unused")`)
	u.seeText("#kinds", "+1")
	edge := u.create("/edges/https", fields{"hostports": []string{"www.example.com:443"}})
	u.create("/edges/https/"+edge+"/routes", fields{"match_type": "path_prefix", "match": "/shop", "backend": fields{"backend_id": backend}})
	u.see(`!` + row + `.querySelector(".tag.unused")`)
	u.call(204, http.MethodDelete, "/edges/tls/"+u.Parents.TLSEdge, nil)
	u.clickText("#object-toggles button", "New or changed")
	u.see(`document.querySelectorAll("#object-list .row").length === 3`)
	u.seeText("#object-summary", "1 deleted")

	u.write("#object-filter", "www https edge "+edge)
	u.clickText("#object-list .row", "www.example.com:443")
	for _, next := range []string{"/shop", "app=web", "/shop", "www.example.com:443"} { // there and back
		u.clickText("#details dd a", next)
		u.seeText("#details h2", next)
	}
	u.write("#object-filter", "app=web")
	u.clickText("#object-list .row", "app=web")
	u.clickText("#details button", "Change…")
	u.see(`document.querySelector(".by-hand textarea")`)
	u.write(".by-hand textarea", `{"description": `)
	u.clickText(".by-hand button", "Change")
	u.see(`document.querySelector(".by-hand .error").textContent !== ""`)
	u.write(".by-hand textarea", `{"description": "drift"}`)
	u.clickText(".by-hand button", "Change")
	u.seeText("#details", `"description": "drift"`)
	if got := u.call(200, http.MethodGet, "/backends/tunnel_group/"+backend, nil)["description"]; got != "drift" {
		t.Errorf("the description is %v", got)
	}
	u.clickText("#details button", "Requests")
	u.seeText("#request-list .note", "From here: drift, PATCH /backends/tunnel_group/"+backend)
	u.clickText("#request-list .row", "GET")
	u.clickText("#details dd a", "app=web")
	u.call(204, http.MethodDelete, "/_testserver/objects/edges/https/"+edge, nil)
	u.clickText("#details button", "Delete…")
	u.clickText(".by-hand button", "Delete")
	u.see(`!document.querySelector(".by-hand")`)
	u.call(404, http.MethodGet, "/backends/tunnel_group/"+backend, nil)
}

// A request above the map shows what a data plane answers, and what decides, as the
// account changes.
func TestMap_followsRequest(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.expect = []string{"400"} // for a request that is not complete
	if err := u.fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	u.open()
	u.do(view("#map"))
	u.write("#follow", "https://www.example.com/status from 192.0.2.7")
	u.seeText("#followed strong", `503 ""`)
	u.seeText("#followed li:nth-of-type(4)", "/status matches /status")
	near := `[...document.querySelectorAll("#canvas .node.near .name")].map((name) => name.textContent).sort().join()`
	u.see(near + ` === "/status,maintenance page,www.example.com,www.example.com,www.example.com:443"`)
	u.see(`document.querySelectorAll("#canvas .line.near").length >= 3`)
	u.call(200, http.MethodGet, "/edges/https", nil)
	for _, edge := range u.call(200, http.MethodGet, "/edges/https", nil)["https_edges"].([]any) {
		u.call(200, http.MethodPatch, "/edges/https/"+edge.(fields)["id"].(string), fields{"hostports": []string{"other.example.com:443"}})
	}
	u.seeText("#followed strong", "404: no edge has www.example.com:443")
	u.write("#follow", "www.example.com")
	u.seeText("#followed strong", "expected a line such as https://www.example.com/api")
}

// A request to an edge appears with its answer and what decides, and so does an event.
func TestConnections_appear(t *testing.T) {
	t.Parallel()
	u := newUser(t, "-traffic", "127.0.0.1:0", "-events")
	if err := u.fill(t.Context()); err != nil {
		t.Fatal(err)
	}
	destination := u.create("/event_destinations", fields{"target": fields{"debug": fields{"callback_url": u.URL + "/hook"}}})
	u.create("/event_subscriptions", fields{"sources": []fields{{"type": "http_request_complete.v0"}}, "destination_ids": []string{destination}})
	u.open()
	u.do(view("#connections"))
	place := "HTTPS and TLS edges: "
	u.seeText("#connections li", place)
	at := strings.TrimPrefix(value[string](u, `document.querySelector("#connections li").textContent`), place)
	transport := &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, at)
		},
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // any certificate does
	}
	response, err := (&http.Client{Transport: transport}).Get("https://www.example.com/status")
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	u.seeText("#connections td:nth-of-type(2)", "https://www.example.com/status from 127.0.0.1")
	u.seeText("#connections td:nth-of-type(4)", "/status matches /status")
	u.seeText("#connections table:nth-of-type(2) td:nth-of-type(5)", "401") // the API, which wants a key
}
