package main

import (
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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

func TestMap_showsHowObjectsLeadToEachOther(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	used := u.create("/backends/tunnel_group", fields{"labels": fields{"app": "used"}})
	unused := u.create("/backends/tunnel_group", fields{"labels": fields{"app": "unused"}})
	domain := u.create("/reserved_domains", fields{"domain": "www.example.com"})
	edge := u.create("/edges/https", fields{"hostports": []string{"www.example.com:443", "www.b.example.com:443", "www.c.example.com:443"}})
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
	u.seeText(`.node[data-key="`+edge+`"] .name`, "+2")
	u.write("#map-filter", edge)
	u.see(`[...document.querySelectorAll("#canvas .title")].some((title) => title.textContent === "HTTPS edge · 1 of 2")`)
	u.write("#map-filter", "e"+kb.Backspace)
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
