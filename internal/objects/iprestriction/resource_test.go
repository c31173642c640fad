package iprestriction_test

import (
	"fmt"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func TestAccIPRestriction_lifecycle(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	one, two := w.Create("/ip_policies", `{}`), w.Create("/ip_policies", `{}`)
	for _, kind := range []string{"tunnel_tls_edge_ip_restriction", "tunnel_tcp_edge_ip_restriction", "tunnel_https_edge_route_ip_restriction"} {
		t.Run(kind, func(t *testing.T) {
			row := acctest.KindOf(t, kind)
			keys := row.Parents(t, w)
			config := func(keys map[string]string, arguments string) string {
				block := fmt.Sprintf("resource %q \"test\" {\n  %s\n", kind, arguments)
				for name, value := range keys {
					block += fmt.Sprintf("  %s = %q\n", name, value)
				}
				return block + "}\n"
			}
			both := fmt.Sprintf("ip_policy_ids = [%q, %q]\n", two, one)
			is := func(enabled bool, ids ...string) map[string]any {
				policies := []any{}
				for _, id := range ids {
					policies = append(policies, map[string]any{"id": id, "uri": w.URL + "/ip_policies/" + id})
				}
				return map[string]any{"enabled": enabled, "ip_policies": policies}
			}
			acctest.Lifecycle{
				Resource: kind + ".test", Parents: keys,
				Full: config(keys, fmt.Sprintf("enabled = true\n  ip_policy_ids = [%q]", one)), IsFull: is(true, one),
				Changed: config(keys, both+"  enabled = false"), IsChanged: is(false, one, two),
				Minimal: config(keys, both), IsMinimal: is(true, one, two),
				Drift: fmt.Sprintf(`{"enabled": false, "ip_policy_ids": [%q]}`, two),
			}.Run(t, w)
		})
	}
}
