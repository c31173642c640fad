package conformance

import (
	"fmt"
	"net/http"
	"strings"
)

func probePolicy(run *Run, f *findings) error {
	const route = "/edges/tls/{id}/policy"
	const large = "9007199254740993" // 2^53 + 1
	path, _, err := run.object("/edges/tls", map[string]any{"metadata": run.config.Mark})
	if err != nil {
		return err
	}
	path += "/policy"
	policy := `{"inbound":[{"expressions":["  true","a  ==  b","c == 'x'"],"actions":[
		{"type":"log","config":{"metadata":{"empty":null,"n":` + large + `}}},
		{"type":"restrict-ips","config":{"allow":["2001:0db8::/32"]}}]}]}`
	if _, err := run.write(http.MethodPut, path, route, policy); err != nil {
		return err
	}
	got, err := run.exchange(testCase{method: http.MethodGet, path: path, route: route})
	if err != nil {
		return err
	}
	rules, _ := got.body["inbound"].([]any)
	if len(rules) != 1 {
		return fmt.Errorf("GET %s: %d rules instead of 1", route, len(rules))
	}
	rule, _ := rules[0].(map[string]any)
	expressions := strings.Join(textsOf(rule, "expressions"), "|")
	f.decide("name_generated", strings.TrimSpace(textOf(rule, "name")) != "")
	inner, parenthesized := strings.CutPrefix(expressions, "(")
	f.decide("cel_parenthesized", parenthesized)
	f.decide("cel_trimmed", !strings.HasPrefix(inner, " "))
	f.decide("cel_spaces", !strings.Contains(expressions, "a  =="))
	f.decide("cel_requoted", strings.Contains(expressions, `"x"`))
	actions := asJSON(rule["actions"])
	f.decide("config_nulls_dropped", !strings.Contains(actions, `"empty"`))
	f.decide("config_ipv6_compressed", strings.Contains(actions, "2001:db8::/32"))
	f.decide("config_number_rounded", !strings.Contains(string(got.raw), large))
	list, _ := rule["actions"].([]any)
	added := false
	for _, action := range list {
		members, _ := action.(map[string]any)
		config, _ := members["config"].(map[string]any)
		added = added || len(config) > 1
	}
	f.decide("config_default_added", added)
	denial := `{"inbound":[{"actions":[{"type":"deny","config":{"status_code":403}}]}]}`
	denied, err := run.exchange(testCase{method: http.MethodPut, path: path, route: route, body: denial})
	if err == nil {
		f.decide("deny_config_refused", denied.status >= http.StatusBadRequest)
	}
	return err
}
