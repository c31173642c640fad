package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// listOf returns a list of strings.
func listOf(texts ...string) tftypes.Value {
	elements := make([]tftypes.Value, len(texts))
	for i, element := range texts {
		elements[i] = text(element)
	}
	return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, elements)
}

// mapOf returns a map with one entry.
func mapOf(key, value string) tftypes.Value {
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{key: text(value)})
}

// inbound returns the inbound rules of a policy, with one rule.
func inbound(p *acctest.Protocol, expression, actionType, config string) tftypes.Value {
	rules := p.Type("tunnel_tls_edge_policy").(tftypes.Object).AttributeTypes["inbound"].(tftypes.List)
	actions := rules.ElementType.(tftypes.Object).AttributeTypes["actions"].(tftypes.List)
	action := acctest.Object(actions.ElementType, arguments{"type": text(actionType), "config": text(config)})
	rule := acctest.Object(rules.ElementType, arguments{"expressions": listOf(expression), "actions": tftypes.NewValue(actions, []tftypes.Value{action})})
	return tftypes.NewValue(rules, []tftypes.Value{rule})
}

// TestValidate_formsOfTheContract checks that terraform validate, without a
// configured provider, reports every violation of a form that the API contract
// states.
func TestValidate_formsOfTheContract(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	key, chain := text(testcert.PublicKey(t, "")), testcert.ChainOf{Intermediates: 1}.New(t)
	other := text(testcert.PKCS8(t, testcert.Key(t, "")))
	edge, ca := text("edgtls_2abc"), text("sshca_2abc")
	datadog := acctest.FromJSON(p.Type("tunnel_event_destination").(tftypes.Object).AttributeTypes["target"], map[string]any{"datadog": map[string]any{}})
	for name, test := range map[string]struct {
		kind   string
		config arguments
		at     string
		want   []string // in this order
	}{
		"chain that is not PEM":        {"tls_certificate", arguments{"certificate_pem": text("cert")}, "certificate_pem", []string{"must be PEM"}},
		"private key in the chain":     {"tls_certificate", arguments{"certificate_pem": text(chain.PKCS8(t))}, "certificate_pem", []string{"found a private key"}},
		"private key as an SSH key":    {"ssh_credential", arguments{"public_key": text(chain.PKCS8(t))}, "public_key", []string{"found a private key. Use the .pub file"}},
		"private key of another":       {"tls_certificate", arguments{"certificate_pem": text(chain.PEM()), "private_key_pem_wo": other, "private_key_pem_wo_version": acctest.Number(1)}, "private_key_pem_wo", []string{"does not match the certificate"}},
		"leaf last":                    {"tls_certificate", arguments{"certificate_pem": text(chain.PEM(2, 1)), "private_key_pem_wo": text(chain.PKCS8(t)), "private_key_pem_wo_version": acctest.Number(1)}, "certificate_pem", []string{"is out of order"}},
		"SSH key that is none":         {"ssh_credential", arguments{"public_key": text("key")}, "public_key", []string{"is not a valid SSH public key"}},
		"ACL rule of another kind":     {"ssh_credential", arguments{"public_key": key, "acl": acctest.Texts("connect:db")}, "acl", []string{`acl[0] ("connect:db") is not a valid ACL rule`, `does not begin with "bind:"`}},
		"owner with a blank":           {"ssh_credential", arguments{"public_key": key, "owner_id": text("a b")}, "owner_id", []string{"must be an ID; found white space"}},
		"host key that is none":        {"ssh_host_certificate", arguments{"ssh_certificate_authority_id": ca, "public_key": text("key")}, "public_key", []string{"is not a valid SSH public key"}},
		"time of another format":       {"ssh_host_certificate", arguments{"ssh_certificate_authority_id": ca, "public_key": key, "valid_until": text("tomorrow")}, "valid_until", []string{"must be a time in RFC 3339"}},
		"end before the beginning":     {"ssh_host_certificate", arguments{"ssh_certificate_authority_id": ca, "public_key": key, "valid_after": text("2050-01-01T00:00:00Z"), "valid_until": text("2049-01-01T00:00:00Z")}, "valid_until", []string{"must be after the beginning of the validity period"}},
		"curve of another type":        {"ssh_certificate_authority", arguments{"private_key_type": text("rsa"), "elliptic_curve": text("p256")}, "elliptic_curve", []string{"only valid with private_key_type"}},
		"expression that is not CEL":   {"tls_edge_policy", arguments{"edge_id": edge, "inbound": inbound(p, "a = 'b'", "deny", "{}")}, "inbound", []string{"inbound[0].expressions[0] is not a valid CEL expression"}},
		"config that is not JSON":      {"tls_edge_policy", arguments{"edge_id": edge, "inbound": inbound(p, "true", "log", "{a")}, "inbound", []string{"inbound[0].actions[0].config must be a JSON object"}},
		"child that is a path":         {"failover_backend", arguments{"backends": listOf("a/b")}, "backends", []string{"backends[0] must be an ID; found a slash"}},
		"empty secret":                 {"event_destination", arguments{"target": datadog, "secret_wo": text(""), "secret_wo_version": acctest.Number(1)}, "secret_wo", []string{"secret_wo must not be empty"}},
		"event type without version":   {"event_source", arguments{"subscription_id": text("esb_2abc"), "type": text("ip_policy_created")}, "type", []string{`Did you mean "ip_policy_created.v0"?`}},
		"renewal of the whole period":  {"ssh_host_certificate", arguments{"ssh_certificate_authority_id": ca, "public_key": key, "validity_period_hours": acctest.Number(1), "early_renewal_hours": acctest.Number(1)}, "early_renewal_hours", []string{"must be less than validity_period_hours"}},
		"a null element of a list":     {"failover_backend", arguments{"backends": tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, []tftypes.Value{tftypes.NewValue(tftypes.String, nil)})}, "backends", []string{"backends[0] must not be null"}},
		"route whose edge has a slash": {"https_edge_route_compression", arguments{"edge_id": text("edghts_2abc/edghtsrt_2abc"), "route_id": text("a")}, "edge_id", []string{"found a slash"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.Expect(t, p.Validate("tunnel_"+test.kind, test.config), tfprotov6.DiagnosticSeverityError, acctest.At(test.at), test.want...)
		})
	}
}

// TestValidate_limitsWaitForThePlan checks that limits that the API contract
// does not state are checked by a plan that sets the attribute, but not by
// terraform validate, because existing objects may violate them.
func TestValidate_limitsWaitForThePlan(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	const isError, isWarn = tfprotov6.DiagnosticSeverityError, tfprotov6.DiagnosticSeverityWarning
	key, edge := text(testcert.PublicKey(t, "")), text("edgtls_2abc")
	weak, _ := testcert.SSHKeygen(t, "rsa", "1024")
	deep := strings.Repeat(`{"a":`, 59) + "{}" + strings.Repeat("}", 59)
	for name, test := range map[string]struct {
		kind     string
		config   arguments
		at       string
		severity tfprotov6.DiagnosticSeverity
		want     string
	}{
		"SSH key with 1024 bits":        {"ssh_credential", arguments{"public_key": text(weak)}, "public_key", isError, "found RSA with 1024 bits"},
		"long description":              {"ssh_credential", arguments{"public_key": key, "description": text(strings.Repeat("a", 256))}, "description", isError, "must be at most 255 bytes long; found 256 bytes"},
		"long description of a backend": {"group_backend", arguments{"labels": mapOf("a", "b"), "description": text(strings.Repeat("a", 256))}, "description", isWarn, "The service may reject it"},
		"domain with an underscore":     {"ssh_credential", arguments{"public_key": key, "acl": acctest.Texts("bind:a_b.example.com")}, "acl", isError, "must not contain '_'"},
		"hostport without port":         {"tls_edge", arguments{"hostports": acctest.Texts("www.example.com")}, "hostports", isError, `hostports[0] ("www.example.com") must have the form host:port`},
		"deep JSON":                     {"tls_edge_policy", arguments{"edge_id": edge, "inbound": inbound(p, "true", "x", deep)}, "inbound", isError, "must have at most 59 levels of objects and arrays; found 60 levels"},
		"unknown action type":           {"tls_edge_policy", arguments{"edge_id": edge, "inbound": inbound(p, "true", "X_y", "{}")}, "inbound", isError, `Did you mean "x-y"?`},
		"misspelled event type":         {"event_source", arguments{"subscription_id": text("esb_2abc"), "type": text("ip_policy_create.v0")}, "type", isWarn, `similar to "ip_policy_created.v0"`},
		"id of a route":                 {"tls_edge_policy", arguments{"edge_id": text("edghtsrt_2abc")}, "edge_id", isWarn, "edge_id begins with edghtsrt_, the prefix of an HTTPS edge route; expected the ID of a TLS edge. The service may reject it."},
		"id of a domain as a child":     {"failover_backend", arguments{"backends": listOf("edghts_2abc")}, "backends", isWarn, "backends[0] begins with edghts_, the prefix of an HTTPS edge"},
		"status code":                   {"http_response_backend", arguments{"status_code": acctest.Number(600)}, "status_code", isError, "status_code must be from 100 to 599; found 600."},
		"key size":                      {"ssh_certificate_authority", arguments{"private_key_type": text("rsa"), "key_size": acctest.Number(1024)}, "key_size", isError, "key_size must be 2048 or 4096; found 1024."},
		"label with an equals sign":     {"group_backend", arguments{"labels": mapOf("a", "b=c")}, "labels", isError, "must not contain an equals sign"},
		"bot user without a name":       {"bot_user", arguments{"name": text("")}, "name", isError, "name must not be empty"},
		"path without slash":            {"https_edge_route", arguments{"edge_id": text("edghts_2abc"), "match": text("api"), "match_type": text("exact_path")}, "match", isError, "must begin with a slash"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.ExpectNone(t, p.Validate("tunnel_"+test.kind, test.config))
			acctest.Expect(t, p.PlanNew("tunnel_"+test.kind, test.config).Diagnostics, test.severity, acctest.At(test.at), test.want)
		})
	}
}
