package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func TestObjects_appearAndChange(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.open()
	u.do(view("#objects"))
	if n := value[int](u, `document.querySelectorAll("#object-list .tag.new").length`); n != 0 {
		t.Errorf("%d objects of the start are called new", n)
	}
	id := u.create("/backends/tunnel_group", fields{"labels": fields{"app": "web"}})
	row := `[...document.querySelectorAll("#object-list .row")].find((row) => row.textContent.includes("app=web"))`
	u.see(row + `.querySelector(".tag.new") && ` + row + `.querySelector(".tag.unused")`)
	u.seeText("#kinds", "+1")
	u.call(200, http.MethodPatch, "/edges/tls/"+u.Parents.TLSEdge, fields{"backend": fields{"backend_id": id}})
	u.see(`document.querySelector("#object-list .tag.changed")`)
	u.see(`!` + row + `.querySelector(".tag.unused")`)
	u.clickText("#object-toggles button", "New or changed")
	u.see(`document.querySelectorAll("#object-list .row").length === 2`)
	u.call(204, http.MethodDelete, "/edges/tls/"+u.Parents.TLSEdge, nil)
	u.see(`document.querySelectorAll("#object-list .row").length === 1`)
	u.seeText("#object-summary", "1 deleted")
}

// An edge leads to its route, and the route to its backend, and back.
func TestObjects_linksLeadOn(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	backend := u.create("/backends/tunnel_group", fields{"labels": fields{"app": "web"}})
	u.create("/reserved_domains", fields{"domain": "www.example.com"})
	edge := u.create("/edges/https", fields{"hostports": []string{"www.example.com:443"}})
	u.create("/edges/https/"+edge+"/routes", fields{"match_type": "path_prefix", "match": "/shop", "backend": fields{"backend_id": backend}})
	u.open()
	u.do(view("#objects"))
	u.write("#object-filter", "www https edge "+edge)
	u.clickText("#object-list .row", "www.example.com:443")
	u.seeText("#details h2", "www.example.com:443")
	u.clickText("#details dd a", "/shop")
	u.seeText("#details h2", "/shop")
	u.clickText("#details dd a", "app=web")
	u.seeText("#details h2", "app=web")
	u.seeText("#details pre", backend)
	u.clickText("#details dd a", "/shop")
	u.seeText("#details h2", "/shop")
	u.clickText("#details dd a", "www.example.com:443")
	u.seeText("#details h2", "www.example.com:443")
	u.clickText("#details dd a", "www.example.com")
	u.seeText("#details h2", "reserved domain")
}

// linesUnderBoxes is a JavaScript expression for the lines of the map of which a point is
// in a box that is not one of its ends.
const linesUnderBoxes = `(() => {
	const boxes = [...document.querySelectorAll(".node")].map((node) => ({ key: node.dataset.key, place: node.transform.baseVal[0].matrix }));
	const inside = (p, { place }) => p.x > place.e + 1 && p.x < place.e + 199 && p.y > place.f + 1 && p.y < place.f + 45;
	return [...document.querySelectorAll(".line")].filter((line) => {
		const path = line.querySelector("path");
		for (let at = 0; at < path.getTotalLength(); at += 4) {
			const point = path.getPointAtLength(at);
			if (boxes.some((box) => box.key !== line.dataset.from && box.key !== line.dataset.to && inside(point, box))) return true;
		}
		return false;
	}).map((line) => line.dataset.from + " to " + line.dataset.to);
})()`

func TestMap_showsHowObjectsLeadToEachOther(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	used := u.create("/backends/tunnel_group", fields{"labels": fields{"app": "used"}})
	unused := u.create("/backends/tunnel_group", fields{"labels": fields{"app": "unused"}})
	domain := u.create("/reserved_domains", fields{"domain": "www.example.com"})
	edge := u.create("/edges/https", fields{"hostports": []string{"www.example.com:443"}})
	route := u.create("/edges/https/"+edge+"/routes", fields{"match_type": "path_prefix", "match": "/", "backend": fields{"backend_id": used}})
	u.create("/_testserver/objects/backends/failover", fields{"backends": []string{"bkdtg_missing"}})
	u.open()
	u.do(view("#map"))
	for _, line := range [][2]string{{domain, edge}, {edge, edge + "/" + route}, {edge + "/" + route, used}} {
		from, to := `document.querySelector('.node[data-key="`+line[0]+`"]')`, `document.querySelector('.node[data-key="`+line[1]+`"]')`
		u.see(`document.querySelector('.line[data-from="` + line[0] + `"][data-to="` + line[1] + `"]')`)
		u.see(from + `.getBoundingClientRect().right < ` + to + `.getBoundingClientRect().left`)
	}
	u.see(`document.querySelector('.node.unused[data-key="` + unused + `"]')`)
	u.see(`!document.querySelector('.node[data-key="` + used + `"]').classList.contains("unused")`)
	u.see(`document.querySelector('.line.missing[data-to="bkdtg_missing"]')`)
	u.seeText(`.node[data-key="`+edge+`/`+route+`"]`, "backend") // its module

	hosts := []string{"www.a.example.com:443", "www.b.example.com:443", "www.c.example.com:443"}
	many := u.create("/edges/tls", fields{"hostports": hosts, "backend": fields{"backend_id": used}})
	u.seeText(`.node[data-key="`+many+`"] .name`, "+2")
	u.seeText(`.node[data-key="`+many+`"] title`, strings.Join(hosts, "\n"))
	u.write("#map-filter", "tls edge")
	u.see(`[...document.querySelectorAll("#canvas .title")].some((title) => title.textContent === "TLS edge · 2")`)
	u.write("#map-filter", many)
	u.see(`[...document.querySelectorAll("#canvas .title")].some((title) => title.textContent === "TLS edge · 1 of 2")`)
	u.write("#map-filter", "e"+kb.Backspace)
	u.see(`document.querySelector('.line[data-from="` + many + `"][data-to="` + used + `"]')`)
	if hidden := value[[]string](u, linesUnderBoxes); len(hidden) > 0 {
		t.Errorf("lines run beneath boxes: %v", hidden)
	}

	u.click(`.node[data-key="` + edge + `"]`)
	u.seeText("#details h2", "www.example.com:443")
	u.clickText("#details dd a", "/")
	u.see(`!document.querySelector("#map").hidden`) // links stay on the map
	u.click(`.node.missing`)
	u.seeText("#details", "does not exist")

	u.do(chromedp.KeyEvent(kb.Escape))
	u.see(`document.querySelector("#details").hidden`)
	added := u.create("/edges/tls", fields{"backend": fields{"backend_id": unused}})
	u.see(`document.querySelector('.node.new[data-key="` + added + `"]')`)
	u.see(`!document.querySelector('.node[data-key="` + unused + `"]').classList.contains("unused")`)
}

// Somebody changes and deletes an object by hand, and finds its requests and back.
func TestObjects_driftByHand(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	id := u.create("/backends/tunnel_group", fields{"description": "as planned", "labels": fields{"app": "web"}})
	u.create("/bot_users", fields{"name": "without a description"})
	u.open()
	u.do(view("#objects"))
	u.clickText("#object-list .row", "without a description")
	u.clickText("#details button", "Change…")
	u.see(`document.querySelector(".by-hand textarea")?.value.includes('"name"')`)
	u.clickText(".by-hand button", "Cancel")
	u.clickText("#object-list .row", "app=web")
	u.clickText("#details button", "Change…")
	u.see(`document.querySelector(".by-hand textarea")`)
	u.write(".by-hand textarea", `{"description": `)
	u.clickText(".by-hand button", "Change")
	u.see(`document.querySelector(".by-hand .error").textContent !== ""`)
	u.write(".by-hand textarea", `{"description": "drift"}`)
	u.clickText(".by-hand button", "Change")
	u.see(`!document.querySelector(".by-hand")`)
	u.seeText("#details", `"description": "drift"`)
	if got := u.call(200, http.MethodGet, "/backends/tunnel_group/"+id, nil)["description"]; got != "drift" {
		t.Errorf("the description is %v", got)
	}
	u.clickText("#details button", "Requests")
	u.see(`location.hash === "#requests" && document.querySelectorAll("#request-list .row").length === 1`)
	u.seeText("#request-list .note", "From here: drift, PATCH /backends/tunnel_group/"+id)
	u.clickText("#request-list .row", "GET")
	u.seeText("#details .loaded", "Without it, the answer is 401")
	u.seeText("#details dl", "Object")
	u.clickText("#details dd a", "app=web")
	u.clickText("#details button", "Delete…")
	u.clickText(".by-hand button", "Cancel")
	u.see(`!document.querySelector(".by-hand")`)
	u.call(200, http.MethodGet, "/backends/tunnel_group/"+id, nil)
	u.clickText("#details button", "Delete…")
	u.clickText(".by-hand button", "Delete")
	u.see(`!document.querySelector(".by-hand")`)
	u.call(404, http.MethodGet, "/backends/tunnel_group/"+id, nil)
}
