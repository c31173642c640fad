package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// oldObjects creates objects that the service would reject today, because they
// violate limits that the API contract does not state, and returns their import
// ids by address. Forms that the contract states (CEL, labels, ACL rules,
// host:port) are not among them: validation reports these, because no service
// can hold anything else.
func oldObjects(t *testing.T, w *acctest.Env) map[string]string {
	t.Helper()
	type object = map[string]any
	ids := map[string]string{}
	add := func(kind, name, id string) { ids["tunnel_"+kind+"."+name] = id }
	create := func(kind, path, name string, body object) { add(kind, name, w.ForceCreate(path, quoted(body))) }
	policy := func(kind, edges, edge, name string, body object) {
		w.ForcePut(edges+"/"+edge+"/policy", quoted(body))
		add(kind, name, edge)
	}
	deny, log := object{"type": "deny"}, object{"type": "log"}
	policy("tls_edge_policy", "/edges/tls", w.Create("/edges/tls", "{}"), "no_actions", object{"inbound": []any{
		object{"name": "none", "actions": []any{}}, object{"name": "fine", "actions": []any{deny}},
	}})
	policy("tls_edge_policy", "/edges/tls", w.Create("/edges/tls", "{}"), "unreachable", object{
		"inbound":  []any{object{"actions": []any{deny, log, object{"type": "Odd_type", "config": object{"a": 1}}}}, object{"name": "fine", "actions": []any{deny}}},
		"outbound": []any{object{"expressions": []string{}, "actions": []any{deny}}, object{"name": "fine", "actions": []any{object{"type": "log", "config": object{"metadata": object{}}}}}},
	})
	rules, expressions := make([]any, 101), make([]string, 17)
	for i := range expressions {
		expressions[i] = "true"
	}
	for i := range rules {
		rules[i] = object{"name": fmt.Sprint("rule ", i), "actions": []any{deny}}
	}
	rules[0] = object{"expressions": expressions, "actions": []any{deny}}
	policy("tcp_edge_policy", "/edges/tcp", w.Create("/edges/tcp", "{}"), "many_rules", object{"inbound": rules})

	backend := w.Create("/backends/http_response", "{}")
	create("failover_backend", "/backends/failover", "no_backends", object{})
	create("failover_backend", "/backends/failover", "twice", object{"backends": []string{backend, backend, "bkdhr_gone"}})
	create("group_backend", "/backends/tunnel_group", "no_labels", object{})
	create("group_backend", "/backends/tunnel_group", "long", object{"labels": object{"a b": ""}, "description": strings.Repeat("a", 300), "metadata": strings.Repeat("a", 5000)})
	create("http_response_backend", "/backends/http_response", "status", object{"headers": object{"a b": "c"}})
	create("ssh_host_certificate", "/ssh_host_certificates", "principals", object{
		"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "public_key": testcert.PublicKey(t, ""), "principals": []string{"a host", "host:22", ""},
	})
	create("ssh_credential", "/ssh_credentials", "acl", object{"public_key": testcert.PublicKey(t, ""), "acl": []string{"bind:my_host.example.com", "bind:bücher.example:443"}, "description": strings.Repeat("a", 300)})
	create("ssh_credential", "/ssh_credentials", "open", object{"public_key": testcert.PublicKey(t, ""), "acl": []string{"*", "bind:a.example.com"}, "metadata": strings.Repeat("a", 5000)})
	create("tls_edge", "/edges/tls", "hostports", object{"hostports": []string{"my_host.example.com:443", "*.bücher.example:443"}})
	edge := w.Create("/edges/https", "{}")
	add("https_edge_route", "match", edge+"/"+w.ForceCreate("/edges/https/"+edge+"/routes", quoted(object{"match_type": "exact_path", "match": "api"})))
	add("https_edge_route", "match_type", edge+"/"+w.ForceCreate("/edges/https/"+edge+"/routes", quoted(object{"match_type": "regular_expression", "match": "/a"})))
	create("ip_policy_rule", "/ip_policy_rules", "zone", object{"ip_policy_id": w.Create("/ip_policies", "{}"), "action": "allow", "cidr": "fe80::1%1"})
	weak, chain := testcert.ChainOf{Key: "rsa1024"}.New(t), testcert.ChainOf{Intermediates: 1}.New(t)
	create("tls_certificate", "/tls_certificates", "short_key", object{"certificate_pem": weak.PEM(), "private_key_pem": weak.PKCS8(t)})
	create("tls_certificate", "/tls_certificates", "order", object{"certificate_pem": chain.PEM(1, 3, 2), "private_key_pem": chain.PKCS8(t)})
	return ids
}

func TestImport_oldObjectsPlanNoChange(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		p := w.Protocol(t)
		for address, id := range oldObjects(t, w) {
			kind, _, _ := strings.Cut(address, ".")
			state, _ := p.Import(kind, id, nil)
			p.PlansNoChange(kind, state)
		}
	})
}
