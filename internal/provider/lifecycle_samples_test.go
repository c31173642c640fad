package provider_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// jsonArguments are resource arguments as decoded JSON.
type jsonArguments = map[string]any

// sample contains the values that the lifecycle of one attribute uses.
type sample struct {
	// first and second are two values, with other attributes that must be set with
	// them.
	first, second jsonArguments
	// outOfBand is the PATCH or PUT body of an out-of-band change. It is nil if the
	// attribute cannot be changed.
	outOfBand jsonArguments
	// updated is the planned action for the second value. If it is empty, the
	// action follows from the attribute description.
	updated string
	// clearing means that removing the attribute plans an update, for example
	// to a default, although the schema does not say so.
	clearing bool
}

func sampleOf(name string, first, second, byHand any) sample {
	s := sample{first: jsonArguments{name: first}, second: jsonArguments{name: second}}
	if byHand != nil {
		s.outOfBand = jsonArguments{name: byHand}
	}
	return s
}

func (s sample) clearedUpdates() sample {
	s.clearing = true
	return s
}

// required returns the required arguments of a new resource in new parents.
func required(t *testing.T, w *acctest.Env, kind acctest.Kind, attributes []*tfprotov6.SchemaAttribute) jsonArguments {
	t.Helper()
	body, given := kind.Body(t, w), jsonArguments{}
	for name, value := range kind.Parents(t, w) {
		given[name] = value
	}
	for _, attribute := range attributes {
		if value, ok := body[attribute.Name]; ok && attribute.Required {
			given[attribute.Name] = value
		}
	}
	if key, ok := body["private_key_pem"]; ok {
		given["private_key_pem_wo"] = key
	}
	for name := range kind.Settings {
		given[name] = true // they are booleans
	}
	return given
}

// samplesOf returns a sample for each configurable attribute.
func samplesOf(t *testing.T, w *acctest.Env, k acctest.Kind) map[string]sample {
	t.Helper()
	samples := map[string]sample{}
	set := func(name string, first, second, byHand any) { samples[name] = sampleOf(name, first, second, byHand) }
	if k.Prefix != "" {
		set("description", "first", "second", "by hand")
		set("metadata", `{"a":1}`, "second", "by hand")
	}
	for name := range k.Parents(t, w) {
		samples[name] = sample{first: anyOf(k.Parents(t, w)), second: anyOf(k.Parents(t, w))}
	}
	if k.Values != nil {
		for name, values := range k.Values(w) {
			set(name, values[0], values[1], values[2])
		}
	}
	switch k.Type {
	case "tunnel_ssh_certificate_authority":
		set("private_key_type", "ecdsa", "rsa", nil)
		samples["elliptic_curve"] = sample{first: jsonArguments{"private_key_type": "ecdsa", "elliptic_curve": "p384"}, second: jsonArguments{"private_key_type": "ecdsa", "elliptic_curve": "p521"}}
		samples["key_size"] = sample{first: jsonArguments{"private_key_type": "rsa", "key_size": 2048}, second: jsonArguments{"private_key_type": "rsa", "key_size": 4096}}
	case "tunnel_http_response_backend":
		samples["status_code"] = samples["status_code"].clearedUpdates() // removing it restores the default
	case "tunnel_ssh_credential":
		set("public_key", testcert.PublicKey(t, "first"), testcert.PublicKey(t, "second"), nil)
		set("acl", []string{"bind:a.example.com"}, []string{"bind:env=prod", "bind:b.example.com"}, []string{"bind:hand.example.com"})
		set("owner_id", w.OrdinaryOwner, w.AdminOwner, nil)
	case "tunnel_api_key":
		one, two := testcert.PublicKey(t, "first"), testcert.PublicKey(t, "second")
		encrypted := func(key string) jsonArguments { return jsonArguments{"store_token": nil, "token_recipient": key} }
		set("owner_id", w.OrdinaryOwner, w.AdminOwner, nil)
		samples["token_recipient"] = sample{first: encrypted(one), second: encrypted(two)}.clearedUpdates()
		samples["store_token"] = sample{first: encrypted(one), second: jsonArguments{"store_token": true}}.clearedUpdates()
	case "tunnel_ssh_host_certificate":
		soon := func(hours time.Duration) string {
			return time.Now().Add(hours * time.Hour).UTC().Format(time.RFC3339)
		}
		set("ssh_certificate_authority_id", w.Create("/ssh_certificate_authorities", "{}"), w.Create("/ssh_certificate_authorities", "{}"), nil)
		set("public_key", testcert.PublicKey(t, "first"), testcert.PublicKey(t, "second"), nil)
		set("principals", []string{"a.example.com"}, []string{"b.example.com", "192.0.2.1"}, nil)
		set("valid_after", soon(1), soon(2), nil)
		set("valid_until", soon(3), soon(4), nil)
		set("validity_period_hours", 24, 48, nil)
		set("early_renewal_hours", 1, 2, nil)
	case "tunnel_tls_certificate":
		one, two := testcert.ChainOf{}.New(t), testcert.ChainOf{}.New(t)
		written := func(chain *testcert.Chain, version int) jsonArguments {
			return jsonArguments{"certificate_pem": chain.PEM(), "private_key_pem_wo": chain.PKCS8(t), "private_key_pem_wo_version": version}
		}
		inState := func(key string) jsonArguments {
			return jsonArguments{"certificate_pem": one.PEM(), "private_key_pem_wo": nil, "private_key_pem": key}
		}
		samples["certificate_pem"] = sample{first: written(one, 1), second: written(two, 1)}
		samples["private_key_pem_wo"] = sample{first: written(one, 1), second: written(two, 2)}
		samples["private_key_pem_wo_version"] = sample{first: written(one, 1), second: written(one, 2)}.clearedUpdates()
		samples["private_key_pem"] = sample{first: inState(one.PKCS8(t)), second: inState(testcert.Traditional(t, one.Signer)), updated: "no-op"}.clearedUpdates() // same key in another format
	case "tunnel_event_destination":
		with := func(name, secret string, version any) jsonArguments {
			datadog := jsonArguments{"datadog": jsonArguments{"ddtags": "a", "service": "b", "ddsite": "c"}}
			return jsonArguments{"target": datadog, name: secret, "secret_wo_version": version}
		}
		samples["format"] = sample{first: jsonArguments{"format": "json"}, second: jsonArguments{"format": "json"}, updated: "no-op"}
		samples["secret"] = sample{first: with("secret", "first-0123456789abcdef", nil), second: with("secret", "second-0123456789abcdef", nil)}
		samples["secret_wo"] = sample{first: with("secret_wo", "first-0123456789abcdef", 1), second: with("secret_wo", "second-0123456789abcdef", 2)}
		samples["secret_wo_version"] = samples["secret_wo"]
		written := samples["secret_wo"]
		written.updated = "update"
		samples["secret_wo"] = written
	case "tunnel_reserved_domain":
		set("domain", testcert.Domain(), testcert.Domain(), nil)
		certificate := func() string { return w.Upload(t, testcert.ChainOf{}.New(t), "") }
		set("certificate_id", certificate(), certificate(), certificate())
		policy := func(keyType string) jsonArguments {
			return jsonArguments{"authority": "letsencrypt", "private_key_type": keyType}
		}
		set("certificate_management_policy", policy("ecdsa"), policy("rsa"), policy("rsa"))
	case "tunnel_tls_edge_policy", "tunnel_tcp_edge_policy":
		rule := func(name string) []any {
			return []any{jsonArguments{"name": name, "expressions": []string{"true"}, "actions": []any{jsonArguments{"type": "log", "config": `{"metadata":{}}`}}}}
		}
		byHand := []any{jsonArguments{"name": "by hand", "actions": []any{jsonArguments{"type": "audit"}}}}
		set("inbound", rule("first"), rule("second"), byHand)
		set("outbound", rule("first"), rule("second"), byHand)
		samples["inbound"], samples["outbound"] = samples["inbound"].clearedUpdates(), samples["outbound"].clearedUpdates()
	}
	return samples
}

func anyOf(values map[string]string) jsonArguments {
	all := jsonArguments{}
	for name, value := range values {
		all[name] = value
	}
	return all
}

// block returns a resource block. It omits arguments that are nil.
func block(resource, name string, arguments jsonArguments) string {
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
