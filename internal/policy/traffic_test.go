package policy

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// expressionsOfOthers are expressions as in the documentation and examples of public
// services of this kind.
var expressionsOfOthers = []string{
	"conn.client_ip == '192.0.2.1'", "conn.client_ip in ['192.0.2.1', '198.51.100.7']", "!(conn.client_ip in ['192.0.2.1'])",
	"conn.tls.sni == 'app.example.com'", "conn.tls.sni.endsWith('.example.com')", "conn.tls.sni.startsWith('app')", "conn.tls.sni.contains('a')",
	"conn.tls.sni.matches('^[a-m].*')", "conn.tls.sni.split('.')[0] == 'web'", "conn.tls.sni.lowerAscii() == 'web.example.com'", "size(conn.tls.sni) > 15",
	"inCidrRange(conn.client_ip, '192.0.2.0/24')", "!inCidrRange(conn.client_ip, '192.0.2.0/25')", "inCidrRange(conn.client_ip, '2001:db8::/32')",
	"inCidrRanges(conn.client_ip, ['192.0.2.64/26', '198.51.100.0/24'])", "conn.client_ip.startsWith('192.')",
	"conn.geo.country_code == 'US'", "has(conn.geo) && conn.geo.country_code == 'US'", "conn.tls.sni == conn.client_ip || true", "'x'.charAt(7) == 'y'",
	"now > timestamp('2026-01-01T00:00:00Z')", "conn.client_ip == '192.0.2.1' ? conn.tls.sni == 'app.example.com' : false",
	"['app.', 'web.'].exists(p, conn.tls.sni.startsWith(p))", "conn.client_ip + conn.tls.sni == ''", "1 / 0 == 1",
}

var actionsOfOthers = []string{
	`{"type": "deny"}`, `{"type": "deny"}`, `{"type": "log", "config": {"metadata": {"a": 1}}}`,
	`{"type": "restrict-ips", "config": {"allow": ["192.0.2.0/24"], "deny": ["192.0.2.65"]}}`,
	`{"type": "restrict-ips", "config": {"enforce": true, "allow": ["198.51.100.0/24", "2001:db8::/32"]}}`,
	`{"type": "restrict-ips", "config": {"enforce": false, "allow": ["203.0.113.9"]}}`, `{"type": "rate-limit", "config": {"capacity": 1}}`,
}

// TestDecide_agreesWithTheTestServer decides about random connections by random policies,
// here and in the test server, which evaluates with cel-go's own environment. What is not
// determined here is not compared.
func TestDecide_agreesWithTheTestServer(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	pick := func(of []string) string { return of[random.IntN(len(of))] }
	s := testserver.Start(t)
	edge := s.Create("/edges/tls", `{"hostports": ["app.example.com:443", "web.example.com:443", "other.example.org:443"], "backend": {"backend_id": "`+
		s.Create("/backends/http_response", "{}")+`"}}`)
	decided := map[string]int{}
	for range 250 {
		var rules []string
		for range 1 + random.IntN(3) {
			expressions, err := json.Marshal([]string{pick(expressionsOfOthers), pick(expressionsOfOthers)}[:random.IntN(3)])
			if err != nil {
				t.Fatal(err)
			}
			rules = append(rules, fmt.Sprintf(`{"expressions": %s, "actions": [%s]}`, expressions, pick(actionsOfOthers)))
		}
		body := fmt.Sprintf(`{"enabled": %t, "inbound": [%s]}`, random.IntN(9) > 0, strings.Join(rules, ", "))
		s.Put("/edges/tls/"+edge+"/policy", body)
		var sent struct {
			Enabled bool
			Inbound []struct {
				Expressions []string
				Actions     []struct {
					Type   string
					Config json.RawMessage
				}
			}
		}
		if err := json.Unmarshal([]byte(body), &sent); err != nil {
			t.Fatal(err)
		}
		policy := Policy{Disabled: !sent.Enabled}
		for _, rule := range sent.Inbound {
			one := Rule{Expressions: rule.Expressions}
			for _, action := range rule.Actions {
				one.Actions = append(one.Actions, Action{action.Type, string(action.Config)})
			}
			policy.Inbound = append(policy.Inbound, one)
		}
		for range 40 {
			client := pick([]string{"192.0.2.1", "192.0.2.65", "192.0.2.200", "198.51.100.7", "203.0.113.9", "2001:db8::7"})
			host := pick([]string{"app.example.com", "web.example.com", "other.example.org"})
			there, err := s.Decide("tls://"+host+" from "+client, map[string]string{})
			if err != nil {
				t.Fatal(err)
			}
			here := Decide(t.Context(), policy, "inbound", map[string]any{
				"conn": map[string]any{"client_ip": client, "tls": map[string]any{"sni": host}}, "now": time.Now(),
			})
			decided[here.Decision]++
			if here.Decision != Undetermined && (here.Decision == Allow) != there.Reaches {
				t.Fatalf("seed %d: %s from %s: %s because %s, and the test server says %s\n%s", seed, host, client, here.Decision, here.Reason, there.Answer, body)
			}
		}
	}
	if decided[Allow] < 100 || decided[Deny] < 100 {
		t.Errorf("too few decisions: %v", decided)
	}
	t.Logf("seed %d: %v", seed, decided)
}
