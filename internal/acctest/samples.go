package acctest

import (
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// Sample makes objects of a kind.
type Sample struct {
	// Body returns a request body with all arguments set. Its keys and certificates
	// are new in each call.
	Body func(t testing.TB, w *Env) map[string]any
	// ImportNote is an optional sentence in the import example.
	ImportNote string
}

var samples = map[*api.Kind]Sample{
	api.SSHCertificateAuthorityKind: {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"private_key_type": "ecdsa", "elliptic_curve": "p384"})
	}},
	api.HTTPResponseBackendKind: {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"body": "Back soon", "headers": map[string]string{"content-type": "text/plain"}, "status_code": 503, "description": "Maintenance page"})
	}},
	api.TLSEdgeKind: {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"hostports": []string{"secure.example.com:443"}})
	}},
	api.TLSEdgeBackendKind: {Body: edgeBackend},
	api.TCPEdgeKind: {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"hostports": []string{"1.tcp.example.com:20001"}})
	}},
	api.TCPEdgeBackendKind: {Body: edgeBackend},
	api.HTTPSEdgeKind: {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"hostports": []string{"shop.example.com:443"}})
	}},
	api.HTTPSEdgeRouteKind: {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"match_type": "path_prefix", "match": "/api/"})
	}},
	api.HTTPSEdgeRouteBackendKind: {Body: edgeBackend},
	api.EventSubscriptionKind: {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"destination_ids": []string{"ed_3YNt0gWyXbJ2sKmP9vQfLhRcTde"}})
	}},
	api.SSHCredentialKind: {Body: func(t testing.TB, _ *Env) map[string]any {
		return withDescription(map[string]any{"public_key": testcert.PublicKey(t, "alice@laptop"), "acl": []string{"bind:*.example.com"}, "metadata": `{"team":"platform"}`})
	}},
	api.SSHHostCertificateKind: {Body: func(t testing.TB, w *Env) map[string]any {
		return withDescription(map[string]any{
			"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "public_key": testcert.PublicKey(t, "root@bastion"), "principals": []string{"bastion.example.com"},
		})
	}},
	api.TLSCertificateKind: {ImportNote: "The private key of the certificate is not needed.", Body: func(t testing.TB, _ *Env) map[string]any {
		chain := testcert.ChainOf{Intermediates: 1, Names: []string{"www.example.com", "*.example.com"}}.New(t)
		return withDescription(map[string]any{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t)})
	}},
	api.ReservedAddressKind: {Body: func(testing.TB, *Env) map[string]any { return withDescription(map[string]any{}) }},
	api.ReservedDomainKind: {Body: func(t testing.TB, w *Env) map[string]any {
		return withDescription(map[string]any{"domain": testcert.Domain(), "certificate_id": w.CreateTLSCertificate(t)})
	}},
	api.GroupBackendKind: {Body: func(testing.TB, *Env) map[string]any {
		return withDescription(map[string]any{"labels": map[string]string{"app": "web", "env": "prod"}})
	}},
	api.FailoverBackendKind: {Body: func(_ testing.TB, w *Env) map[string]any {
		return withDescription(map[string]any{"backends": []string{w.CreateOtherBackend(), w.CreateOtherBackend()}, "description": "Web, blue before green"})
	}},
	api.EventSourceKind:           {Body: func(testing.TB, *Env) map[string]any { return map[string]any{"type": "ip_policy_created.v0"} }},
	api.TLSEdgePolicyKind:         {Body: policy},
	api.TCPEdgePolicyKind:         {Body: policy},
	api.CompressionKind:           {Body: func(testing.TB, *Env) map[string]any { return map[string]any{"enabled": false} }},
	api.WebsocketTCPConverterKind: {Body: func(testing.TB, *Env) map[string]any { return map[string]any{"enabled": true} }},
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
