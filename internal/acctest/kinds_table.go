package acctest

import (
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// Kinds contains every kind of object that Terraform manages, parents before
// children. A new kind only needs an entry here.
var Kinds = []Kind{
	{
		Type: "tunnel_ssh_certificate_authority", Plural: "tunnel_ssh_certificate_authorities", Path: "/ssh_certificate_authorities/{id}",
		Example: "sshca_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Body: func(testing.TB, *Env) map[string]any {
			return withDescription(map[string]any{"private_key_type": "ecdsa", "elliptic_curve": "p384"})
		},
	},
	{
		Type: "tunnel_http_response_backend", Path: "/backends/http_response/{id}", Example: "bkdhr_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Body: func(testing.TB, *Env) map[string]any {
			return withDescription(map[string]any{"body": "Back soon", "headers": map[string]string{"content-type": "text/plain"}, "status_code": 503, "description": "Maintenance page"})
		},
	},
	{
		Type: "tunnel_tls_edge", Path: "/edges/tls/{id}", Example: "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Body: func(testing.TB, *Env) map[string]any {
			return withDescription(map[string]any{"hostports": []string{"secure.example.com:443"}})
		},
	},
	{
		Type: "tunnel_tls_edge_backend", Path: "/edges/tls/{edge_id}/backend", Example: "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Parents: func(w *Env) map[string]string { return map[string]string{"edge_id": w.CreateTLSEdge()} },
		Body:    edgeBackend,
	},
	{
		Type: "tunnel_tcp_edge", Path: "/edges/tcp/{id}", Example: "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Body: func(testing.TB, *Env) map[string]any {
			return withDescription(map[string]any{"hostports": []string{"1.tcp.example.com:20001"}})
		},
	},
	{
		Type: "tunnel_tcp_edge_backend", Path: "/edges/tcp/{edge_id}/backend", Example: "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Parents: func(w *Env) map[string]string { return map[string]string{"edge_id": w.CreateTCPEdge()} },
		Body:    edgeBackend,
	},
	{
		Type: "tunnel_https_edge", Path: "/edges/https/{id}", Example: "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Body: func(testing.TB, *Env) map[string]any {
			return withDescription(map[string]any{"hostports": []string{"shop.example.com:443"}})
		},
	},
	{
		Type: "tunnel_https_edge_route", Path: "/edges/https/{edge_id}/routes/{id}", NaturalKey: true,
		Example: "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde/edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV",
		Parents: func(w *Env) map[string]string {
			return map[string]string{"edge_id": w.CreateHTTPSEdge()}
		},
		Body: func(testing.TB, *Env) map[string]any {
			return withDescription(map[string]any{"match_type": "path_prefix", "match": "/api/"})
		},
	},
	{
		Type: "tunnel_https_edge_route_backend", Path: "/edges/https/{edge_id}/routes/{route_id}/backend",
		Example: "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde/edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV",
		Parents: httpsEdgeRoute,
		Body:    edgeBackend,
	},
	{
		Type: "tunnel_event_subscription", Path: "/event_subscriptions/{id}", Example: "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Body: func(testing.TB, *Env) map[string]any {
			return withDescription(map[string]any{"destination_ids": []string{"ed_3YNt0gWyXbJ2sKmP9vQfLhRcTde"}})
		},
	},
	{
		Type: "tunnel_ssh_credential", Path: "/ssh_credentials/{id}", Example: "sshcr_3YNt0gWyXbJ2sKmP9vQfLhRcTde", NaturalKey: true,
		Body: func(t testing.TB, _ *Env) map[string]any {
			return withDescription(map[string]any{"public_key": testcert.PublicKey(t, "alice@laptop"), "acl": []string{"bind:*.example.com"}, "metadata": `{"team":"platform"}`})
		},
	},
	{
		Type: "tunnel_ssh_host_certificate", Path: "/ssh_host_certificates/{id}", Example: "shcrt_3YNt0gWyXbJ2sKmP9vQfLhRcTde", HasSettings: true,
		Body: func(t testing.TB, w *Env) map[string]any {
			return withDescription(map[string]any{
				"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "public_key": testcert.PublicKey(t, "root@bastion"), "principals": []string{"bastion.example.com"},
			})
		},
	},
	{
		Type: "tunnel_tls_certificate", Path: "/tls_certificates/{id}", Example: "cert_3YNt0gWyXbJ2sKmP9vQfLhRcTde", HasSettings: true,
		ImportNote: "The private key of the certificate is not needed.",
		Body: func(t testing.TB, _ *Env) map[string]any {
			chain := testcert.ChainOf{Intermediates: 1, Names: []string{"www.example.com", "*.example.com"}}.New(t)
			return withDescription(map[string]any{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t)})
		},
	},
	{
		Type: "tunnel_reserved_address", Plural: "tunnel_reserved_addresses", Path: "/reserved_addrs/{id}", Example: "ra_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Body: func(testing.TB, *Env) map[string]any { return withDescription(map[string]any{}) },
	},
	{
		Type: "tunnel_reserved_domain", Path: "/reserved_domains/{id}", Example: "rd_3YNt0gWyXbJ2sKmP9vQfLhRcTde", NaturalKey: true,
		Body: func(t testing.TB, w *Env) map[string]any {
			return withDescription(map[string]any{"domain": testcert.Domain(), "certificate_id": w.CreateTLSCertificate(t)})
		},
	},
	{
		Type: "tunnel_group_backend", Path: "/backends/tunnel_group/{id}", Example: "bkdtg_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Body: func(testing.TB, *Env) map[string]any {
			return withDescription(map[string]any{"labels": map[string]string{"app": "web", "env": "prod"}})
		},
	},
	{
		Type: "tunnel_failover_backend", Path: "/backends/failover/{id}", Example: "bkdfo_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Body: func(_ testing.TB, w *Env) map[string]any {
			return withDescription(map[string]any{"backends": []string{w.CreateOtherBackend(), w.CreateOtherBackend()}, "description": "Web, blue before green"})
		},
	},
	{
		Type: "tunnel_event_source", Path: "/event_subscriptions/{subscription_id}/sources/{type}",
		Example: "esb_3YNt0gWyXbJ2sKmP9vQfLhRcTde/ip_policy_created.v0", NaturalKey: true,
		Parents: func(w *Env) map[string]string {
			return map[string]string{"subscription_id": w.CreateEventSubscription()}
		},
		Body: func(testing.TB, *Env) map[string]any { return map[string]any{"type": "ip_policy_created.v0"} },
	},
	{
		Type: "tunnel_tls_edge_policy", Plural: "tunnel_tls_edge_policies", Path: "/edges/tls/{edge_id}/policy", Example: "edgtls_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Parents: func(w *Env) map[string]string { return map[string]string{"edge_id": w.CreateTLSEdge()} },
		Body:    policy,
	},
	{
		Type: "tunnel_tcp_edge_policy", Plural: "tunnel_tcp_edge_policies", Path: "/edges/tcp/{edge_id}/policy", Example: "edgtcp_3YNt0gWyXbJ2sKmP9vQfLhRcTde",
		Parents: func(w *Env) map[string]string { return map[string]string{"edge_id": w.CreateTCPEdge()} },
		Body:    policy,
	},
	{
		Type: "tunnel_https_edge_route_compression", Path: "/edges/https/{edge_id}/routes/{route_id}/compression",
		Example: "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde/edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV",
		Parents: httpsEdgeRoute,
		Body:    func(testing.TB, *Env) map[string]any { return map[string]any{"enabled": false} },
	},
	{
		Type: "tunnel_https_edge_route_websocket_tcp_converter", Path: "/edges/https/{edge_id}/routes/{route_id}/websocket_tcp_converter",
		Example: "edghts_3YNt0gWyXbJ2sKmP9vQfLhRcTde/edghtsrt_3YNt1aBcDeFgHiJkLmNoPqRsTuV",
		Parents: httpsEdgeRoute,
		Body:    func(testing.TB, *Env) map[string]any { return map[string]any{"enabled": true} },
	},
}

func edgeBackend(_ testing.TB, w *Env) map[string]any {
	return map[string]any{"enabled": false, "backend_id": w.CreateOtherBackend()}
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

func httpsEdgeRoute(w *Env) map[string]string {
	edge := w.CreateHTTPSEdge()
	return map[string]string{"edge_id": edge, "route_id": w.CreateHTTPSEdgeRoute(edge)}
}
