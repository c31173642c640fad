package testserver

import (
	"cmp"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/traffic"
)

// trafficAccount is an account whose objects are named by what they are for.
const trafficAccount = `{"objects": [
 {"path": "/backends/tunnel_group", "body": {"id": "bkdtg_web", "labels": {"app": "web"}}},
 {"path": "/backends/tunnel_group", "body": {"id": "bkdtg_down", "labels": {"app": "down"}}},
 {"path": "/backends/tunnel_group", "body": {"id": "bkdtg_none"}},
 {"path": "/backends/http_response", "body": {"id": "bkdhr_hello", "body": "hello"}},
 {"path": "/backends/http_response", "body": {"id": "bkdhr_busy", "status_code": 503, "headers": {"retry-after": "60"}}},
 {"path": "/backends/failover", "body": {"id": "bkdfo_second", "backends": ["bkdtg_down", "bkdhr_hello"]}},
 {"path": "/backends/failover", "body": {"id": "bkdfo_nested", "backends": ["bkdtg_none", "bkdfo_second"]}},
 {"path": "/backends/failover", "body": {"id": "bkdfo_down", "backends": ["bkdtg_down"]}},
 {"path": "/backends/failover", "body": {"id": "bkdfo_empty", "backends": []}},
 {"path": "/ip_policies", "body": {"id": "ipp_office"}},
 {"path": "/ip_policies", "body": {"id": "ipp_more"}},
 {"path": "/ip_policies", "body": {"id": "ipp_empty"}},
 {"path": "/ip_policy_rules", "body": {"id": "ipr_1", "created_at": "2026-01-01T00:00:00Z", "ip_policy_id": "ipp_office", "action": "allow", "cidr": "192.0.2.9/24"}},
 {"path": "/ip_policy_rules", "body": {"id": "ipr_2", "created_at": "2026-01-02T00:00:00Z", "ip_policy_id": "ipp_office", "action": "deny", "cidr": "192.0.2.66"}},
 {"path": "/ip_policy_rules", "body": {"id": "ipr_3", "created_at": "2026-01-03T00:00:00Z", "ip_policy_id": "ipp_more", "action": "allow", "cidr": "2001:db8::/32"}},
 {"path": "/edges/https", "body": {"id": "edghts_wild", "created_at": "2026-01-01T00:00:00Z", "hostports": ["*.example.com:443"]}},
 {"path": "/edges/https/edghts_wild/routes", "body": {"id": "edghtsrt_wild", "match_type": "path_prefix", "match": "/", "backend": {"backend_id": "bkdhr_busy"}}},
 {"path": "/edges/https", "body": {"id": "edghts_www", "created_at": "2026-01-02T00:00:00Z", "hostports": ["WWW.example.com:443", "www.example.com:8443"]}},
 {"path": "/edges/https/edghts_www/routes", "body": {"id": "edghtsrt_root", "created_at": "2026-01-01T00:00:00Z", "match_type": "path_prefix", "match": "/", "backend": {"backend_id": "bkdtg_web"}}},
 {"path": "/edges/https/edghts_www/routes", "body": {"id": "edghtsrt_api", "created_at": "2026-01-02T00:00:00Z", "match_type": "path_prefix", "match": "/api", "backend": {"backend_id": "bkdfo_nested"}}},
 {"path": "/edges/https/edghts_www/routes", "body": {"id": "edghtsrt_exact", "created_at": "2026-01-03T00:00:00Z", "match_type": "exact_path", "match": "/api/", "backend": {"backend_id": "bkdfo_down"}}},
 {"path": "/edges/https/edghts_www/routes", "body": {"id": "edghtsrt_admin", "match_type": "path_prefix", "match": "/admin/", "backend": {"backend_id": "bkdtg_web"},
   "ip_restriction": {"ip_policy_ids": ["ipp_office", "ipp_more"]}}},
 {"path": "/edges/https/edghts_www/routes", "body": {"id": "edghtsrt_nobody", "match_type": "path_prefix", "match": "/nobody", "backend": {"backend_id": "bkdtg_web"},
   "ip_restriction": {"ip_policy_ids": ["ipp_empty"]}}},
 {"path": "/edges/https/edghts_www/routes", "body": {"id": "edghtsrt_all", "match_type": "path_prefix", "match": "/all", "backend": {"backend_id": "bkdfo_empty"},
   "ip_restriction": {"enabled": false, "ip_policy_ids": ["ipp_empty"]}}},
 {"path": "/edges/https/edghts_www/routes", "body": {"id": "edghtsrt_off", "match_type": "path_prefix", "match": "/off", "backend": {"enabled": false, "backend_id": "bkdtg_web"}}},
 {"path": "/edges/https/edghts_www/routes", "body": {"id": "edghtsrt_bare", "match_type": "path_prefix", "match": "/bare"}},
 {"path": "/edges/https", "body": {"id": "edghts_bare", "hostports": ["bare.example.org:443"]}},
 {"path": "/edges/tls", "body": {"id": "edgtls_1", "hostports": ["tls.example.com:443"], "backend": {"backend_id": "bkdtg_web"}, "policy": {"inbound": [
   {"name": "log", "actions": [{"type": "log", "config": {"metadata": {"a": "b"}}}]},
   {"name": "two", "expressions": ["conn.client_ip == '192.0.2.1'", "conn.tls.sni == 'tls.example.com'"], "actions": [{"type": "deny"}]},
   {"name": "or", "expressions": ["conn.client_ip == '192.0.2.2'", "conn.tls.sni == 'other'"], "actions": [{"type": "deny"}]},
   {"name": "fails", "expressions": ["conn.geo.country_code == 'US'"], "actions": [{"type": "deny"}]},
   {"name": "range", "expressions": ["inCidrRange(conn.client_ip, '203.0.113.0/25') || inCidrRanges(conn.client_ip, ['nonsense', '203.0.113.200'])"],
     "actions": [{"type": "other-action"}, {"type": "deny"}]}]}}},
 {"path": "/edges/tls", "body": {"id": "edgtls_2", "hostports": ["off.example.com:443"], "backend": {"backend_id": "bkdhr_hello"},
   "policy": {"enabled": false, "inbound": [{"actions": [{"type": "deny"}]}]}}},
 {"path": "/edges/tcp", "body": {"id": "edgtcp_1", "hostports": ["1.tcp.example.com:20001"], "backend": {"backend_id": "bkdtg_web"},
   "ip_restriction": {"ip_policy_ids": ["ipp_office"]}, "policy": {"inbound": [{"expressions": ["conn.client_ip.endsWith('.5')"], "actions": [{"type": "deny"}]}]}}},
 {"path": "/edges/tcp", "body": {"id": "edgtcp_2", "hostports": ["2.tcp.example.com:20002"], "backend": {"backend_id": "bkdtg_web"}, "policy": {"inbound": [
   {"actions": [{"type": "restrict-ips", "config": {"allow": ["198.51.100.0/24"], "deny": ["198.51.100.9"], "ip_policies": ["ipp_office"]}}]}]}}},
 {"path": "/edges/tcp", "body": {"id": "edgtcp_3", "hostports": ["3.tcp.example.com:20003"], "backend": {"backend_id": "bkdtg_web"}, "policy": {"inbound": [
   {"actions": [{"type": "restrict-ips", "config": {"enforce": false, "deny": ["0.0.0.0/0"]}}]}]}}},
 {"path": "/edges/tcp", "body": {"id": "edgtcp_4", "hostports": ["4.tcp.example.com:20004"], "backend": {"backend_id": "bkdtg_web"}, "policy": {"inbound": [
   {"actions": [{"type": "restrict-ips", "config": {}}]}]}}},
 {"path": "/edges/tcp", "body": {"id": "edgtcp_5", "hostports": ["5.tcp.example.com:20005"]}}
]}`

func trafficServer(t *testing.T, options ...Option) *Server {
	t.Helper()
	s := Start(t, options...)
	if err := s.Seed([]byte(trafficAccount)); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTraffic_decisions decides about requests. The tunnel has app=web and dc=fra.
func TestTraffic_decisions(t *testing.T) {
	t.Parallel()
	s := trafficServer(t)
	for request, answer := range map[string]string{
		"https://www.example.com":                              "tunnel app=web,dc=fra",
		"https://WWW.EXAMPLE.COM/x":                            "tunnel app=web,dc=fra",
		"https://www.example.com:8443/":                        "tunnel app=web,dc=fra",
		"https://www.example.com:444/":                         "404: no edge has www.example.com:444",
		"https://blog.example.com/":                            `503 "" (b06e0030)`,
		"https://a.blog.example.com/":                          "404: no edge has a.blog.example.com:443",
		"https://bare.example.org/":                            "404: no route",
		"https://www.example.com/api":                          `200 "hello"`,
		"https://www.example.com/apiary":                       `200 "hello"`,
		"https://www.example.com/api/":                         "502: no tunnel with app=down",
		"https://www.example.com/api/x":                        `200 "hello"`,
		"https://www.example.com/API":                          "tunnel app=web,dc=fra",
		"https://www.example.com/admin/ from 192.0.2.1":        "tunnel app=web,dc=fra",
		"https://www.example.com/admin/ from 192.0.2.66":       "403: refused by the IP restriction",
		"https://www.example.com/admin/ from 198.51.100.1":     "403: refused by the IP restriction",
		"https://www.example.com/admin/ from 2001:db8::1":      "tunnel app=web,dc=fra",
		"https://www.example.com/admin/ from ::ffff:192.0.2.1": "tunnel app=web,dc=fra",
		"https://www.example.com/admin from 198.51.100.1":      "tunnel app=web,dc=fra",
		"https://www.example.com/nobody":                       "403: refused by the IP restriction",
		"https://www.example.com/all":                          "502: the failover backend is empty",
		"https://www.example.com/off":                          "404: no backend",
		"https://www.example.com/bare":                         "404: no backend",
		"tls://tls.example.com":                                "tunnel app=web,dc=fra",
		"tls://tls.example.com from 192.0.2.1":                 "closed: refused by a rule of the policy",
		"tls://tls.example.com from 192.0.2.2":                 "tunnel app=web,dc=fra",
		"tls://tls.example.com from 203.0.113.127":             "closed: refused by a rule of the policy",
		"tls://tls.example.com from 203.0.113.128":             "tunnel app=web,dc=fra",
		"tls://tls.example.com from 203.0.113.200":             "closed: refused by a rule of the policy",
		"tls://off.example.com":                                `200 "hello"`,
		"tls://www.example.com":                                "closed: no edge has www.example.com:443",
		"tcp://1.tcp.example.com:20001 from 192.0.2.1":         "tunnel app=web,dc=fra",
		"tcp://1.tcp.example.com:20001 from 192.0.2.5":         "closed: refused by a rule of the policy",
		"tcp://1.tcp.example.com:20001 from 192.0.3.1":         "closed: refused by the IP restriction",
		"tcp://1.tcp.example.com:20002":                        "closed: no edge has 1.tcp.example.com:20002",
		"tcp://2.tcp.example.com:20002 from 198.51.100.1":      "tunnel app=web,dc=fra",
		"tcp://2.tcp.example.com:20002 from 198.51.100.9":      "closed: refused by a rule of the policy",
		"tcp://2.tcp.example.com:20002 from 192.0.2.1":         "tunnel app=web,dc=fra",
		"tcp://2.tcp.example.com:20002 from 203.0.113.1":       "closed: refused by a rule of the policy",
		"tcp://3.tcp.example.com:20003":                        "tunnel app=web,dc=fra",
		"tcp://4.tcp.example.com:20004":                        "closed: refused by a rule of the policy",
		"tcp://5.tcp.example.com:20005":                        "closed: no backend",
	} {
		found, err := s.Decide(request, map[string]string{"app": "web", "dc": "fra"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, request, found.Answer, answer)
		served := strings.HasPrefix(answer, "tunnel") || strings.Contains(answer, `"`)
		equal(t, request+": served", found.Served, served)
		equal(t, request+": reaches", found.Reaches, served || strings.HasPrefix(answer, "502"))
	}
}

// TestTraffic_assumptions turns each assumption off, and expects another answer.
func TestTraffic_assumptions(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ request, on, off string }{
		"exact_host_first":   {"https://www.example.com/x", "tunnel app=web,dc=fra", `503 "" (b06e0030)`},
		"longest_prefix":     {"https://www.example.com/api", `200 "hello"`, "tunnel app=web,dc=fra"},
		"deny_wins":          {"https://www.example.com/admin/ from 192.0.2.66", "403: refused by the IP restriction", "tunnel app=web,dc=fra"},
		"labels_contain":     {"https://www.example.com/admin from 192.0.2.1", "tunnel app=web,dc=fra", "502: no tunnel with app=web"},
		"cel_error_is_false": {"tls://tls.example.com", "tunnel app=web,dc=fra", "closed: refused by a rule of the policy"},
	} {
		for _, off := range []bool{false, true} {
			options, answer := []Option{}, test.on
			if off {
				options, answer = append(options, WithBehavior(name+"=off")), test.off
			}
			found, err := trafficServer(t, options...).Decide(test.request, map[string]string{"app": "web", "dc": "fra"})
			if err != nil {
				t.Fatal(err)
			}
			equal(t, test.request, found.Answer, answer)
			if !strings.Contains(strings.Join(found.Assumed, " "), name) {
				t.Errorf("%s: assumed %q", name, found.Assumed)
			}
		}
	}
}

// TestTraffic_certificates looks at the certificate of a host as the clock moves on.
func TestTraffic_certificates(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	s := trafficServer(t, WithClock(func() time.Time { return start }))
	leaf := issue(t, nil, newKey(t, "p256"), func(c *x509.Certificate) { c.DNSNames = []string{"*.example.com"} })
	certificate := s.Create("/tls_certificates", upload(leaf.pem, pkcs8(t, leaf.key)))
	domain := s.Create("/reserved_domains", `{"domain": "www.example.com", "certificate_id": "`+certificate+`"}`)
	expect := func(certificate string, served bool) {
		t.Helper()
		found, err := s.Decide("https://www.example.com/api")
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "certificate", found.Certificate, certificate)
		equal(t, "served", found.Served, served)
	}
	expect("for *.example.com until 2027-01-01 00:00:00", true)
	if err := s.SetClock(start.AddDate(0, 2, 0), true); err != nil {
		t.Fatal(err)
	}
	expect("for *.example.com until 2027-01-01 00:00:00: expired", false)
	s.Edit("/reserved_domains/"+domain, `{"certificate_management_policy": {"authority": "letsencrypt"}}`)
	expect("none: the service has not issued one yet", false)
	s.Edit("/reserved_domains/"+domain, `{"certificate_management_policy": null}`)
	expect("of the service", true)
	other := issue(t, nil, newKey(t, "p256"), func(c *x509.Certificate) { c.DNSNames, c.NotAfter = []string{"example.com"}, start.AddDate(9, 0, 0) })
	s.Edit("/reserved_domains/"+domain, `{"certificate_id": "`+s.Create("/tls_certificates", upload(other.pem, pkcs8(t, other.key)))+`"}`)
	expect("for example.com until 2035-12-01 00:00:00: not for this host", false)
}

// TestTraffic_requests looks for requests that differ by what stands on their way, and
// not by a policy that has nothing to do with them.
func TestTraffic_requests(t *testing.T) {
	t.Parallel()
	s := trafficServer(t)
	everybody := s.Create("/ip_policies", "{}")
	s.Create("/ip_policy_rules", `{"ip_policy_id": "`+everybody+`", "action": "allow", "cidr": "0.0.0.0/0"}`)
	s.Create("/edges/tcp", `{"hostports": ["6.tcp.example.com:20006"], "ip_restriction": {"ip_policy_ids": ["`+everybody+`"]}}`)
	asked := map[string]bool{}
	for _, request := range s.Recorded().Requests() {
		asked[request.String()] = true
	}
	for _, request := range []string{
		"https://www.example.com/ from 198.51.100.7", "https://www.example.com/apiany from 198.51.100.7", "https://any.example.com/ from 198.51.100.7",
		"https://www.example.com/admin/ from 192.0.2.1", "https://www.example.com/admin/any from 192.0.2.254", "https://www.example.com/admin/ from 192.0.2.66",
		"https://www.example.com/admin/ from 2001:db8::1", "https://www.example.com/admin/ from 198.51.100.7", "tls://tls.example.com from 198.51.100.7",
		"tcp://2.tcp.example.com:20002 from 198.51.100.9", "tcp://2.tcp.example.com:20002 from 203.0.113.7", "tcp://6.tcp.example.com:20006 from 2001:db8::7",
		"tcp://6.tcp.example.com:20006 from 255.255.255.254",
	} {
		if !asked[request] {
			t.Errorf("%s is not asked", request)
		}
	}
}

// TestTraffic_assumedWithoutAChange adds an edge for an exact host, which changes nothing
// because of an assumption that is off. The report says so.
func TestTraffic_assumedWithoutAChange(t *testing.T) {
	t.Parallel()
	s := trafficServer(t, WithBehavior("exact_host_first=off"))
	recording, stop := s.Record()
	s.Create("/edges/https", `{"hostports": ["blog.example.com:443"]}`)
	stop()
	request, err := traffic.ParseRequest("https://blog.example.com/")
	if err != nil {
		t.Fatal(err)
	}
	report := traffic.Report{}
	report.Add(recording.Follow([]traffic.Request{request}, s.World(nil)), func(c traffic.Change) string { return c.Key })
	equal(t, "class", report.Requests[0].Class, traffic.Unchanged)
	if !slices.Contains(report.Assumed, "exact_host_first") {
		t.Errorf("assumed %q", report.Assumed)
	}
}

// naive is an object of the API, as far as HTTPS depends on it.
type naive struct {
	ID        string    `json:"id"`
	CreatedAt time.Time `json:"created_at"`
	Hostports []string  `json:"hostports"`
	Routes    []struct {
		MatchType string `json:"match_type"`
		Match     string `json:"match"`
		Backend   *struct {
			Enabled bool
			Backend struct{ ID string }
		}
		IPRestriction *struct {
			Enabled    bool
			IPPolicies []struct{ ID string } `json:"ip_policies"`
		} `json:"ip_restriction"`
	}
	IPPolicy struct{ ID string } `json:"ip_policy"`
	Action   string
	CIDR     string
}

// naiveHTTPS decides what a client of an HTTPS edge gets, from the API alone and without
// an index.
func naiveHTTPS(s *Server, host, path string, client netip.Addr) string {
	list := func(path string) (all []naive) {
		text, _ := json.Marshal(s.List(path)) // it was JSON
		_ = json.Unmarshal(text, &all)
		slices.SortFunc(all, func(a, b naive) int { return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID)) })
		return all
	}
	_, parent, _ := strings.Cut(host, ".")
	edges := list("/edges/https")
	for _, name := range []string{host + ":443", "*." + parent + ":443"} {
		for _, edge := range edges {
			if !slices.Contains(edge.Hostports, name) {
				continue
			}
			best, rank := -1, -1
			for i, route := range edge.Routes {
				switch {
				case route.MatchType == "exact_path" && route.Match == path:
					best, rank = i, 1000
				case route.MatchType == "path_prefix" && strings.HasPrefix(path, route.Match) && len(route.Match) > rank:
					best, rank = i, len(route.Match)
				}
			}
			if best < 0 {
				return "404: no route"
			}
			route := edge.Routes[best]
			if route.IPRestriction != nil && route.IPRestriction.Enabled {
				allowed, denied := false, false
				for _, rule := range list("/ip_policy_rules") {
					for _, policy := range route.IPRestriction.IPPolicies {
						if policy.ID == rule.IPPolicy.ID && netip.MustParsePrefix(rule.CIDR).Contains(client) {
							allowed, denied = allowed || rule.Action == "allow", denied || rule.Action == "deny"
						}
					}
				}
				if denied || !allowed {
					return "403: refused by the IP restriction"
				}
			}
			if route.Backend == nil || !route.Backend.Enabled {
				return "404: no backend"
			}
			return "200 " + strconv.Quote(route.Backend.Backend.ID)
		}
	}
	return "404: no edge has " + host + ":443"
}

// TestTraffic_commits makes random changes, and expects that the view that has followed
// them decides as one that is made from scratch, and as a naive one.
func TestTraffic_commits(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	s := Start(t)
	recording, stop := s.Record()
	var edges, routes, policies, rules, backends []string
	pick := func(of []string) string { return of[random.IntN(len(of))] }
	drop := func(of *[]string, path string) {
		if len(*of) > 1 {
			at := random.IntN(len(*of))
			s.Delete(path + (*of)[at])
			*of = slices.Delete(*of, at, at+1)
		}
	}
	for i := range 4 {
		backends = append(backends, s.Create("/backends/http_response", fmt.Sprintf(`{"body": "%d"}`, i)))
		policies = append(policies, s.Create("/ip_policies", `{}`))
	}
	hosts := []string{"a.example.com", "b.example.com", "*.example.com"}
	paths := []string{"/", "/a", "/a/b", "/a/b/c"}
	for range 600 {
		switch random.IntN(9) {
		case 0:
			if len(edges) > 0 && random.IntN(8) > 0 {
				continue // or most edges are new, and have no routes
			}
			edges = append(edges, s.Create("/edges/https", `{"hostports": ["`+pick(hosts)+`:443"]}`))
		case 1:
			if len(edges) > 6 {
				gone := edges[0]
				s.Delete("/edges/https/" + gone)
				edges = edges[1:]
				routes = slices.DeleteFunc(routes, func(r string) bool { return strings.HasPrefix(r, gone) })
			}
		case 2, 3:
			if len(edges) == 0 {
				continue
			}
			edge, match := pick(edges), pick(paths)
			if !strings.Contains(fmt.Sprint(s.Get("/edges/https/"+edge)), "match:"+match+" ") {
				kind := pick([]string{"exact_path", "path_prefix"})
				routes = append(routes, edge+"/routes/"+s.Create("/edges/https/"+edge+"/routes", `{"match_type": "`+kind+`", "match": "`+match+`"}`))
			}
		case 4, 5:
			if len(routes) > 0 {
				s.Put("/edges/https/"+pick(routes)+"/backend", fmt.Sprintf(`{"enabled": %t, "backend_id": "%s"}`, random.IntN(4) > 0, pick(backends)))
			}
		case 6:
			if len(routes) > 0 {
				s.Put("/edges/https/"+pick(routes)+"/ip_restriction", fmt.Sprintf(`{"enabled": %t, "ip_policy_ids": ["%s"]}`, random.IntN(4) > 0, pick(policies)))
			}
		case 7:
			rules = append(rules, s.Create("/ip_policy_rules", fmt.Sprintf(`{"ip_policy_id": "%s", "action": "%s", "cidr": "%s"}`,
				pick(policies), pick([]string{"allow", "allow", "deny"}), pick([]string{"192.0.2.0/24", "192.0.2.64/26", "0.0.0.0/0"}))))
		case 8:
			drop(&rules, "/ip_policy_rules/")
			drop(&routes, "/edges/https/")
		}
	}
	stop()
	var requests []traffic.Request
	for _, host := range []string{"a.example.com", "b.example.com", "c.example.com", "example.com"} {
		for _, path := range append(paths, "/a/bc", "/other") {
			for _, client := range []string{"192.0.2.1", "192.0.2.65", "198.51.100.1"} {
				parsed, err := traffic.ParseRequest("https://" + host + path + " from " + client)
				if err != nil {
					t.Fatal(err)
				}
				requests = append(requests, parsed)
			}
		}
	}
	answers := map[string]int{}
	for i, followed := range recording.Follow(requests, s.World(nil)) {
		fresh, err := s.Decide(requests[i].String())
		if err != nil {
			t.Fatal(err)
		}
		equal(t, requests[i].String()+" as from scratch", followed.After.Answer, fresh.Answer)
		expected := naiveHTTPS(s, requests[i].Host, requests[i].Path, requests[i].Client)
		for body, id := range backends {
			expected = strings.Replace(expected, id, strconv.Itoa(body), 1)
		}
		equal(t, requests[i].String()+" as a naive one", fresh.Answer, expected)
		answers[fresh.Answer]++
	}
	t.Logf("answers: %v", answers)
}
