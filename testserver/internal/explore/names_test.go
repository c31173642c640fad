package explore

import (
	"slices"
	"testing"
)

// run is the requests of an apply with given ids, in a given order.
func run(order []int, blue, green, edge string) []Record {
	all := []Record{
		{"POST", "/backends/tunnel_group", []byte(`{"labels":{"app":"blue"}}`), blue},
		{"POST", "/backends/tunnel_group", []byte(`{"labels":{"app":"green"}}`), green},
		{"POST", "/edges/tls", []byte(`{"hostports":[]}`), edge},
		{"PUT", "/edges/tls/" + edge + "/backend", []byte(`{"backend_id":"` + blue + `"}`), ""},
		{"POST", "/backends/failover", []byte(`{"backends":["` + green + `"],"valid_until":"2027-01-0` + blue[len(blue)-1:] + `T00:00:00Z"}`), "fo" + edge},
		{"DELETE", "/ssh_credentials/old", nil, ""},
		{"GET", "/ssh_credentials", nil, ""},
		{"GET", "/ssh_credentials", nil, ""},
		{"POST", "/backends/failover", []byte(`{"backends":["` + blue + `"]}`), "spare" + edge},
	}
	var records []Record
	for _, at := range order {
		records = append(records, all[at])
	}
	return records
}

func TestNames_areTheSameInEachRun(t *testing.T) {
	t.Parallel()
	base := map[string]string{"old": "tunnel_ssh_credential.ci"}
	end := map[string]string{
		"b1": `tunnel_group_backend.app["blue"]`, "g1": `tunnel_group_backend.app["green"]`, "e1": "tunnel_tls_edge.web",
		"foe1": "tunnel_failover_backend.web", "sparee1": "tunnel_failover_backend.spare",
	}
	script := Learn(base, end, run([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, "b1", "g1", "e1"), false)
	var want []string
	for _, request := range script.Requests {
		want = append(want, request.String())
	}
	for _, name := range []string{
		`POST /backends/tunnel_group (tunnel_group_backend.app["blue"])`, "PUT /edges/tls/tunnel_tls_edge.web/backend",
		"DELETE /ssh_credentials/tunnel_ssh_credential.ci", "GET /ssh_credentials#2", "POST /backends/failover (tunnel_failover_backend.web)",
	} {
		if !slices.Contains(want, name) {
			t.Errorf("%q has no %s", want, name)
		}
	}
	names := script.Names()
	var got []string
	for _, r := range run([]int{5, 2, 1, 6, 0, 8, 7, 4, 3}, "b2", "g2", "e2") {
		request, creation := names.Request(r.Method, r.Path, r.Body)
		got = append(got, request.String())
		if r.Created != "" {
			names.Created(creation, r.Created)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
	if address := names.known["g2"]; address != `tunnel_group_backend.app["green"]` {
		t.Errorf("g2 is %s", address)
	}
	if address := names.known["sparee2"]; address != "tunnel_failover_backend.spare" { // its body is told apart by an address with quotes
		t.Errorf("sparee2 is %s", address)
	}
	if about := script.Requests[slices.Index(want, "PUT /edges/tls/tunnel_tls_edge.web/backend")].About; about != "tunnel_tls_edge.web/backend" {
		t.Errorf("the PUT is about %s", about)
	}
}

func TestPlan_sampleSpreads(t *testing.T) {
	t.Parallel()
	var requests []Request
	for _, path := range []string{"/a", "/b", "/c", "/d"} {
		requests = append(requests, Request{Method: "POST", Path: path, Times: 1})
	}
	all := Plan(append(requests, Request{Method: "GET", Path: "/a", Times: 1}), Kinds)
	if len(all) != 5*len(Kinds)-2 {
		t.Errorf("%d interruptions", len(all))
	}
	for n, want := range map[int]struct{ requests, kinds int }{3: {3, 3}, 12: {5, 7}, len(all): {5, len(Kinds)}} {
		at, kinds := map[Request]bool{}, map[Kind]bool{}
		chosen := Sample(all, n)
		for _, i := range chosen {
			at[i.At], kinds[i.Kind] = true, true
		}
		if len(chosen) != n || len(at) != want.requests || len(kinds) < want.kinds {
			t.Errorf("%d: %d chosen of %d requests and %d kinds", n, len(chosen), len(at), len(kinds))
		}
		if again := Sample(all, n); !slices.Equal(again, chosen) {
			t.Error("the samples differ")
		}
		for i, one := range chosen {
			if slices.Contains(chosen[i+1:], one) {
				t.Errorf("%s is twice in a sample of %d", one, n)
			}
		}
	}
}
