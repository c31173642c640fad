package testserver

import "testing"

func TestIPPolicy_rules(t *testing.T) {
	t.Parallel()
	s := Start(t)
	policy, other := s.Create("/ip_policies", `{"description":"offices"}`), s.Create("/ip_policies", `{}`)
	rule := want(t, s, 201, "POST", "/ip_policy_rules", `{"ip_policy_id":"`+policy+`","action":"allow","cidr":"192.0.2.7/24"}`)
	path := "/ip_policy_rules/" + rule.text("id")
	equal(t, "cidr", rule.text("cidr"), "192.0.2.7/24")
	kept := s.Create("/ip_policy_rules", `{"ip_policy_id":"`+other+`","action":"deny","cidr":"2001:db8::1"}`)
	equal(t, "cidr after an update", want(t, s, 200, "PATCH", path, `{"cidr":"198.51.100.0/24"}`).text("cidr"), "198.51.100.0/24")
	for body, field := range map[string]string{
		`{"action":"deny"}`:                "action",
		`{"ip_policy_id":"` + other + `"}`: "ip_policy_id",
		`{"cidr":"192.0.2.0/33"}`:          "cidr",
		`{"cidr":"example.com"}`:           "cidr",
		`{"cidr":"fe80::1%eth0"}`:          "cidr",
	} {
		equal(t, body, want(t, s, 400, "PATCH", path, body).field(), field)
	}
	equal(t, "an unknown policy", want(t, s, 400, "POST", "/ip_policy_rules", `{"ip_policy_id":"ipp_2abc","action":"allow","cidr":"::/0"}`).field(), "ip_policy_id")
	want(t, s, 409, "DELETE", "/ip_policies/"+policy, "")
	want(t, s, 204, "DELETE", path, "")
	want(t, s, 204, "DELETE", "/ip_policies/"+policy, "")
	want(t, s, 200, "GET", "/ip_policy_rules/"+kept, "")
}
