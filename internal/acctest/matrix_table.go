package acctest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// Arguments are resource arguments as decoded JSON.
type Arguments = map[string]any

// Sample contains the values that tests use for one attribute.
type Sample struct {
	// First and Second are two values, with other attributes that must be set with
	// them.
	First, Second Arguments
	// OutOfBand is the PATCH or PUT body of an out-of-band change. It is nil if the
	// attribute cannot be changed.
	OutOfBand Arguments
	// Updated is the planned action for the second value. If it is empty, the
	// action follows from the attribute description.
	Updated string
	// ClearedUpdates means that removing the attribute plans an update, for example
	// to a default, although the schema does not say so.
	ClearedUpdates bool
}

func sample(name string, first, second, byHand any) Sample {
	s := Sample{First: Arguments{name: first}, Second: Arguments{name: second}}
	if byHand != nil {
		s.OutOfBand = Arguments{name: byHand}
	}
	return s
}

func (s Sample) clearedUpdates() Sample {
	s.ClearedUpdates = true
	return s
}

// Required returns the required arguments of a new resource in new parents.
func (k Kind) Required(t testing.TB, w *Env) Arguments {
	t.Helper()
	arguments := Arguments{}
	if k.Parents != nil {
		for name, value := range k.Parents(w) {
			arguments[name] = value
		}
	}
	switch k.Type {
	case "tunnel_tls_edge_backend", "tunnel_tcp_edge_backend", "tunnel_https_edge_route_backend":
		arguments["backend_id"] = w.CreateOtherBackend()
	case "tunnel_https_edge_route":
		arguments["match_type"], arguments["match"] = "exact_path", "/"
	case "tunnel_ssh_credential":
		arguments["public_key"] = testcert.PublicKey(t, "")
	case "tunnel_ssh_host_certificate":
		arguments["public_key"], arguments["ssh_certificate_authority_id"] = testcert.PublicKey(t, ""), w.Parents.SSHCertificateAuthority
	case "tunnel_tls_certificate":
		chain := testcert.ChainOf{}.New(t)
		arguments["certificate_pem"], arguments["private_key_pem_wo"] = chain.PEM(), chain.PKCS8(t)
	case "tunnel_reserved_domain":
		arguments["domain"] = testcert.Domain()
	case "tunnel_group_backend":
		arguments["labels"] = map[string]string{"a": "b"}
	case "tunnel_failover_backend":
		arguments["backends"] = []string{w.CreateOtherBackend()}
	case "tunnel_event_source":
		arguments["type"] = "ip_policy_created.v0"
	}
	return arguments
}

// Samples returns a sample for each configurable attribute.
func (k Kind) Samples(t testing.TB, w *Env) map[string]Sample {
	t.Helper()
	samples := map[string]Sample{}
	set := func(name string, first, second, byHand any) { samples[name] = sample(name, first, second, byHand) }
	if !k.Module() && k.Type != "tunnel_event_source" {
		set("description", "first", "second", "by hand")
		set("metadata", `{"a":1}`, "second", "by hand")
	}
	if k.Parents != nil {
		for name := range k.Parents(w) {
			samples[name] = Sample{First: anyOf(k.Parents(w)), Second: anyOf(k.Parents(w))}
		}
	}
	switch k.Type {
	case "tunnel_ssh_certificate_authority":
		set("private_key_type", "ecdsa", "rsa", nil)
		samples["elliptic_curve"] = Sample{First: Arguments{"private_key_type": "ecdsa", "elliptic_curve": "p384"}, Second: Arguments{"private_key_type": "ecdsa", "elliptic_curve": "p521"}}
		samples["key_size"] = Sample{First: Arguments{"private_key_type": "rsa", "key_size": 2048}, Second: Arguments{"private_key_type": "rsa", "key_size": 4096}}
	case "tunnel_http_response_backend":
		set("body", "first", "second", "by hand")
		set("headers", map[string]string{"a": "b"}, map[string]string{"c": "d", "e": "f"}, map[string]string{"by": "hand"})
		set("status_code", 404, 503, 500)
		samples["status_code"] = samples["status_code"].clearedUpdates() // removing it restores the default
	case "tunnel_tls_edge", "tunnel_tcp_edge", "tunnel_https_edge":
		set("hostports", []string{"a.example.com:1"}, []string{"b.example.com:2", "c.example.com:3"}, []string{"hand.example.com:4"})
	case "tunnel_tls_edge_backend", "tunnel_tcp_edge_backend", "tunnel_https_edge_route_backend":
		set("backend_id", w.CreateOtherBackend(), w.CreateOtherBackend(), w.CreateOtherBackend())
	case "tunnel_https_edge_route":
		set("match_type", "exact_path", "path_prefix", "path_prefix")
		set("match", "/a", "/b/", "/hand")
	case "tunnel_event_subscription":
		set("destination_ids", []string{"ed_a"}, []string{"ed_b", "ed_c"}, []string{"ed_hand"})
	case "tunnel_ssh_credential":
		set("public_key", testcert.PublicKey(t, "first"), testcert.PublicKey(t, "second"), nil)
		set("acl", []string{"bind:a.example.com"}, []string{"bind:env=prod", "bind:b.example.com"}, []string{"bind:hand.example.com"})
		set("owner_id", w.OrdinaryOwner, w.AdminOwner, nil)
	case "tunnel_ssh_host_certificate":
		soon := func(hours time.Duration) string {
			return time.Now().Add(hours * time.Hour).UTC().Format(time.RFC3339)
		}
		set("ssh_certificate_authority_id", w.CreateSSHCertificateAuthority(""), w.CreateSSHCertificateAuthority(""), nil)
		set("public_key", testcert.PublicKey(t, "first"), testcert.PublicKey(t, "second"), nil)
		set("principals", []string{"a.example.com"}, []string{"b.example.com", "192.0.2.1"}, nil)
		set("valid_after", soon(1), soon(2), nil)
		set("valid_until", soon(3), soon(4), nil)
		set("validity_period_hours", 24, 48, nil)
		set("early_renewal_hours", 1, 2, nil)
	case "tunnel_tls_certificate":
		one, two := testcert.ChainOf{}.New(t), testcert.ChainOf{}.New(t)
		written := func(chain *testcert.Chain, version int) Arguments {
			return Arguments{"certificate_pem": chain.PEM(), "private_key_pem_wo": chain.PKCS8(t), "private_key_pem_wo_version": version}
		}
		inState := func(key string) Arguments {
			return Arguments{"certificate_pem": one.PEM(), "private_key_pem_wo": nil, "private_key_pem": key}
		}
		samples["certificate_pem"] = Sample{First: written(one, 1), Second: written(two, 1)}
		samples["private_key_pem_wo"] = Sample{First: written(one, 1), Second: written(two, 2)}
		samples["private_key_pem_wo_version"] = Sample{First: written(one, 1), Second: written(one, 2)}.clearedUpdates()
		samples["private_key_pem"] = Sample{First: inState(one.PKCS8(t)), Second: inState(testcert.Traditional(t, one.Signer)), Updated: "no-op"}.clearedUpdates() // same key in another format
	case "tunnel_reserved_domain":
		set("domain", testcert.Domain(), testcert.Domain(), nil)
		set("certificate_id", w.CreateTLSCertificate(t), w.CreateTLSCertificate(t), w.CreateTLSCertificate(t))
		policy := func(keyType string) Arguments {
			return Arguments{"authority": "letsencrypt", "private_key_type": keyType}
		}
		set("certificate_management_policy", policy("ecdsa"), policy("rsa"), policy("rsa"))
	case "tunnel_group_backend":
		set("labels", map[string]string{"a": "b"}, map[string]string{"c": "d", "e": "f"}, map[string]string{"by": "hand"})
	case "tunnel_failover_backend":
		a, b := w.CreateOtherBackend(), w.CreateOtherBackend()
		set("backends", []string{a}, []string{b, a}, []string{b})
	case "tunnel_event_source":
		set("type", "ip_policy_created.v0", "ip_policy_updated.v0", nil)
	case "tunnel_tls_edge_policy", "tunnel_tcp_edge_policy":
		rule := func(name string) []any {
			return []any{Arguments{"name": name, "expressions": []string{"true"}, "actions": []any{Arguments{"type": "log", "config": `{"metadata":{}}`}}}}
		}
		byHand := []any{Arguments{"name": "by hand", "actions": []any{Arguments{"type": "audit"}}}}
		set("inbound", rule("first"), rule("second"), byHand)
		set("outbound", rule("first"), rule("second"), byHand)
		samples["inbound"], samples["outbound"] = samples["inbound"].clearedUpdates(), samples["outbound"].clearedUpdates()
	}
	if k.Module() {
		set("enabled", false, true, true)
		samples["enabled"].Second["enabled"] = nil // true is the default
	}
	return samples
}

func anyOf(values map[string]string) Arguments {
	all := Arguments{}
	for name, value := range values {
		all[name] = value
	}
	return all
}

// HCL returns a resource block. It omits arguments that are nil.
func HCL(resource, name string, arguments Arguments) string {
	var text strings.Builder
	fmt.Fprintf(&text, "resource %q %q {\n", resource, name)
	for argument, value := range arguments {
		if encoded, err := json.Marshal(value); value != nil && err == nil {
			fmt.Fprintf(&text, "  %s = %s\n", argument, encoded)
		}
	}
	text.WriteString("}\n")
	return text.String()
}
