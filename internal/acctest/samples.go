package acctest

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// Sample makes objects of a kind.
type Sample struct {
	// Body returns a request body with all arguments set. Its keys and certificates
	// are new in each call. Defaults to a text for each string.
	Body func(t testing.TB, w *Env) map[string]any
	// Values returns three values of each attribute: two for an apply and the next
	// one, and one that somebody sets outside of Terraform, nil if the service
	// cannot change it. Strings have values by default.
	Values func(w *Env) map[string][3]any
	// Settings are the arguments that a new resource needs, and that the service does not
	// return.
	Settings map[string]tftypes.Value
	// ImportNote is an optional sentence in the import example.
	ImportNote string
}

var samples = map[string]Sample{ // by type
	"tunnel_ssh_certificate_authority": {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"private_key_type": "ecdsa", "elliptic_curve": "p384"})
	}},
	"tunnel_http_response_backend": {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{
			"body": "Back soon", "headers": map[string]string{"content-type": "text/plain"}, "status_code": 503, "description": "Maintenance page",
		})
	}, Values: func(*Env) map[string][3]any {
		return map[string][3]any{
			"body":        {"first", "second", "by hand"},
			"headers":     {map[string]string{"a": "b"}, map[string]string{"c": "d", "e": "f"}, map[string]string{"by": "hand"}},
			"status_code": {404, 503, 500},
		}
	}},
	"tunnel_tls_edge": {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"hostports": []string{"secure.example.com:443"}})
	}, Values: hostports},
	"tunnel_tls_edge_backend": {Body: edgeBackend, Values: otherBackends},
	"tunnel_tcp_edge": {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"hostports": []string{"1.tcp.example.com:20001"}})
	}, Values: hostports},
	"tunnel_tcp_edge_backend": {Body: edgeBackend, Values: otherBackends},
	"tunnel_https_edge": {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"hostports": []string{"shop.example.com:443"}})
	}, Values: hostports},
	"tunnel_https_edge_route": {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"match_type": "path_prefix", "match": "/api/"})
	}, Values: func(*Env) map[string][3]any {
		return map[string][3]any{"match_type": {"exact_path", "path_prefix", "path_prefix"}, "match": {"/a", "/b/", "/hand"}}
	}},
	"tunnel_https_edge_route_backend": {Body: edgeBackend, Values: otherBackends},

	"tunnel_tls_edge_ip_restriction":         {Body: ipRestriction, Values: otherPolicies},
	"tunnel_tcp_edge_ip_restriction":         {Body: ipRestriction, Values: otherPolicies},
	"tunnel_https_edge_route_ip_restriction": {Body: ipRestriction, Values: otherPolicies},
	"tunnel_event_destination": {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"format": "json", "target": debugTarget("https://hooks.example.com/events")})
	}, Values: func(*Env) map[string][3]any {
		return map[string][3]any{
			"format": {"json", "json", nil},
			"target": {debugTarget("https://a.example.com"), debugTarget("https://b.example.com"), debugTarget("https://hand.example.com")},
		}
	}},
	"tunnel_event_subscription": {Body: func(_ testing.TB, w *Env) map[string]any {
		return withDescription(map[string]any{"destination_ids": []string{destination(w)}})
	}, Values: func(w *Env) map[string][3]any {
		return map[string][3]any{"destination_ids": {
			[]string{destination(w)},
			[]string{destination(w), destination(w)},
			[]string{destination(w)},
		}}
	}},
	"tunnel_api_key": {
		ImportNote: "The token of the API key stays unknown.",
		Settings:   map[string]tftypes.Value{"store_token": tftypes.NewValue(tftypes.Bool, true)},
		Body:       func(testing.TB, *Env) map[string]any { return withDescription(map[string]any{}) },
	},
	"tunnel_ssh_credential": {Body: func(t testing.TB, _ *Env) map[string]any {
		return withDescription(map[string]any{
			"public_key": testcert.PublicKey(t, "alice@laptop"), "acl": []string{"bind:*.example.com"}, "metadata": `{"team":"platform"}`,
		})
	}},
	"tunnel_ssh_host_certificate": {Body: func(t testing.TB, w *Env) map[string]any {
		return withDescription(map[string]any{
			"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority,
			"public_key":                   testcert.PublicKey(t, "root@bastion"),
			"principals":                   []string{"bastion.example.com"},
		})
	}},
	"tunnel_tls_certificate": {ImportNote: "The private key of the certificate is not needed.", Body: tlsCertificate},
	"tunnel_reserved_domain": {Body: func(t testing.TB, w *Env) map[string]any {
		return withDescription(map[string]any{"domain": testcert.Domain(), "certificate_id": w.Upload(t, testcert.ChainOf{}.New(t), "")})
	}},
	"tunnel_group_backend": {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"labels": map[string]string{"app": "web", "env": "prod"}})
	}, Values: func(*Env) map[string][3]any {
		return map[string][3]any{"labels": {map[string]string{"a": "b"}, map[string]string{"c": "d", "e": "f"}, map[string]string{"by": "hand"}}}
	}},
	"tunnel_failover_backend": {Body: func(_ testing.TB, w *Env) map[string]any {
		return withDescription(
			map[string]any{"backends": []string{backend(w), backend(w)}, "description": "Web, blue before green"},
		)
	}, Values: func(w *Env) map[string][3]any {
		a, b := backend(w), backend(w)
		return map[string][3]any{"backends": {[]string{a}, []string{b, a}, []string{b}}}
	}},
	"tunnel_ip_policy_rule": {Body: func(_ testing.TB, w *Env) map[string]any {
		return withDescription(map[string]any{"ip_policy_id": w.Create("/ip_policies", `{}`), "action": "allow", "cidr": "192.0.2.0/24"})
	}, Values: func(w *Env) map[string][3]any {
		return map[string][3]any{
			"ip_policy_id": {w.Create("/ip_policies", `{}`), w.Create("/ip_policies", `{}`), nil},
			"action":       {"allow", "deny", nil},
			"cidr":         {"192.0.2.0/24", "2001:db8::/32", "198.51.100.7"},
		}
	}},
	"tunnel_event_source": {
		Body: func(testing.TB, *Env) map[string]any { return map[string]any{"type": "ip_policy_created.v0"} },
		Values: func(*Env) map[string][3]any {
			return map[string][3]any{"type": {"ip_policy_created.v0", "ip_policy_updated.v0", nil}}
		},
	},
	"tunnel_tls_edge_policy":                          {Body: policy},
	"tunnel_tcp_edge_policy":                          {Body: policy},
	"tunnel_https_edge_route_compression":             {Body: func(testing.TB, *Env) map[string]any { return map[string]any{"enabled": false} }},
	"tunnel_https_edge_route_websocket_tcp_converter": {Body: func(testing.TB, *Env) map[string]any { return map[string]any{"enabled": true} }},
}

func hostports(*Env) map[string][3]any {
	return map[string][3]any{
		"hostports": {[]string{"a.example.com:1"}, []string{"b.example.com:2", "c.example.com:3"}, []string{"hand.example.com:4"}},
	}
}

func otherBackends(w *Env) map[string][3]any {
	return map[string][3]any{"backend_id": {backend(w), backend(w), backend(w)}}
}

func edgeBackend(_ testing.TB, w *Env) map[string]any {
	return map[string]any{"enabled": false, "backend_id": backend(w)}
}

func ipRestriction(_ testing.TB, w *Env) map[string]any {
	return map[string]any{"enabled": false, "ip_policy_ids": []string{w.Create("/ip_policies", `{}`)}}
}

func otherPolicies(w *Env) map[string][3]any {
	a, b := w.Create("/ip_policies", `{}`), w.Create("/ip_policies", `{}`)
	return map[string][3]any{"ip_policy_ids": {[]string{a}, []string{a, b}, []string{b}}}
}

func debugTarget(url string) map[string]any {
	return map[string]any{"debug": map[string]any{"log": true, "callback_url": url}}
}

// withDescription adds default values for description and metadata.
func withDescription(body map[string]any) map[string]any {
	for name, value := range map[string]string{"description": "Made by hand", "metadata": "m"} {
		if _, ok := body[name]; !ok {
			body[name] = value
		}
	}
	return body
}

func policy(testing.TB, *Env) map[string]any {
	type object = map[string]any
	log := object{"type": "log", "config": object{"metadata": object{"a": object{"b": 1}}}}
	return object{
		"enabled": false,
		"inbound": []any{
			object{"name": "log", "expressions": []string{"conn.client_ip == '192.0.2.1'"}, "actions": []any{log, object{"type": "deny"}}},
			object{"actions": []any{object{"type": "deny"}}},
		},
		"outbound": []any{object{"name": "audit", "expressions": []string{"true"}, "actions": []any{log}}},
	}
}

func tlsCertificate(t testing.TB, _ *Env) map[string]any {
	chain := testcert.ChainOf{Intermediates: 1, Names: []string{"www.example.com", "*.example.com"}}.New(t)
	return withDescription(map[string]any{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t)})
}

// Upload uploads a certificate out of band and returns its id.
func (w *Env) Upload(t testing.TB, chain *testcert.Chain, description string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t), "description": description})
	if err != nil {
		t.Fatal(err)
	}
	return w.Create("/tls_certificates", string(body))
}

func destination(w *Env) string {
	return w.Create("/event_destinations", `{"target":{"debug":{"log":true}}}`)
}

func backend(w *Env) string { return w.Create("/backends/http_response", "{}") }
