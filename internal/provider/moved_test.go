package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// oldResource is a resource in a state of the public provider ngrok/ngrok.
type oldResource struct {
	from string
	// attributes are those of the old type in JSON, besides id. The values do not
	// matter: they are what the public schema of the version allows.
	attributes string
}

// oldResources are the resources of two versions by the resource here. v0.7 is made
// with SDKv2, which stores nested blocks as lists, and v0.8 with the framework.
var oldResources = map[string]map[string]oldResource{
	"v0.7": {
		"tunnel_tls_certificate": {"ngrok_tls_certificate", `"certificate_pem": "-----BEGIN CERTIFICATE-----\nold", "private_key_pem": ` +
			`"-----BEGIN EC PRIVATE KEY-----\nold", "description": "old", "metadata": ""`},
		"tunnel_ssh_credential":            {"ngrok_ssh_credential", `"acl": [], "public_key": "ssh-ed25519 old", "owner_id": "usr_1", "metadata": ""`},
		"tunnel_ssh_certificate_authority": {"ngrok_ssh_certificate_authority", `"elliptic_curve": null, "key_size": 0, "private_key_type": "ed25519"`},
		"tunnel_ssh_host_certificate":      {"ngrok_ssh_host_certificate", `"certificate": "old", "principals": ["old"], "key_type": "ed25519"`},
		"tunnel_reserved_domain": {"ngrok_reserved_domain", `"domain": "old.example.com", "region": "us", "certificate_management_policy": [], ` +
			`"is_dev": false, "http_endpoint_configuration_id": ""`},
		"tunnel_reserved_address":      {"ngrok_reserved_addr", `"addr": "1.tcp.example.com:1", "region": "us"`},
		"tunnel_failover_backend":      {"ngrok_failover_backend", `"backends": [], "description": ""`},
		"tunnel_group_backend":         {"ngrok_tunnel_group_backend", `"labels": {"old": "true"}, "tunnels": [{"id": "tn_1", "uri": ""}]`},
		"tunnel_http_response_backend": {"ngrok_http_response_backend", `"body": "old", "headers": {}, "status_code": 200`},
		"tunnel_event_destination": {"ngrok_event_destination", `"format": "json", "target": [{"debug": [{"log": true, "callback_url": ""}], ` +
			`"firehose": [], "kinesis": [], "cloudwatch_logs": [], "datadog": []}]`},
		"tunnel_event_subscription": {"ngrok_event_subscription", `"destination_ids": [], "sources": [{"type": "old", "uri": ""}]`},
		"tunnel_bot_user":           {"ngrok_bot_user", `"name": "old", "active": true`},
		"tunnel_ip_policy":          {"ngrok_ip_policy", `"description": "old"`},
		"tunnel_ip_policy_rule":     {"ngrok_ip_policy_rule", `"action": "allow", "cidr": "192.0.2.0/24", "ip_policy_id": "ipp_1"`},
	},
	"v0.8": {
		"tunnel_tls_certificate": {"ngrok_tls_certificate", `"certificate_pem": "-----BEGIN CERTIFICATE-----\nold", "private_key_pem": ` +
			`"-----BEGIN EC PRIVATE KEY-----\nold", "subject_alternative_names": {"dns_names": ["old.example.com"], "ips": []}`},
		"tunnel_ssh_credential":            {"ngrok_ssh_credential", `"acl": null, "public_key": "ssh-ed25519 old", "owner_id": null`},
		"tunnel_ssh_certificate_authority": {"ngrok_ssh_certificate_authority", `"private_key_type": "ed25519", "key_size": null`},
		"tunnel_reserved_domain":           {"ngrok_domain", `"domain": "old.example.com", "certificate_management_policy": null, "resolves_to": null`},
		"tunnel_reserved_address":          {"ngrok_tcp_address", `"addr": "1.tcp.example.com:1", "region": "us"`},
		"tunnel_event_destination":         {"ngrok_event_destination", `"format": "json", "target": {"datadog": null, "kinesis": null}`},
		"tunnel_event_subscription":        {"ngrok_event_subscription", `"destination_ids": null, "sources": []`},
		"tunnel_bot_user":                  {"ngrok_service_user", `"name": "old", "active": true`},
		"tunnel_ip_policy":                 {"ngrok_ip_policy", `"description": "old"`},
		"tunnel_ip_policy_rule":            {"ngrok_ip_policy_rule", `"action": "deny", "cidr": "192.0.2.0/24", "ip_policy_id": "ipp_1"`},
	},
}

// TestAccMoved_fromAnotherProvider moves resources from states of another provider. The
// plan changes no object, and a destroy deletes each once.
func TestAccMoved_fromAnotherProvider(t *testing.T) {
	t.Parallel()
	for version, old := range oldResources {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			config := movedConfig(t, old)
			before := w.Terraform(t, config)
			before.Apply(t)
			ids := map[string]string{}
			for to := range old {
				ids[to] = before.Attributes(t, to+".x")["id"].(string)
			}
			w.ResetStats()

			privateKey := regexp.MustCompile(`(?m)^ *private_key_pem = .*$`) // the service never returns it, so no state has it
			tf := w.Terraform(t, privateKey.ReplaceAllString(config, "")+movedBlocks(old))
			tf.Needs(t, acctest.MovedAcrossTypes)
			writeOldState(t, tf, old, ids)
			if out, err := tf.TryPlan(t, tfexec.Refresh(false)); err == nil || !strings.Contains(out, "has not been read yet") {
				t.Errorf("a plan without a refresh ends with %v:\n%s", err, acctest.Summary(out))
			}
			out := tf.Plan(t)
			if strings.Count(out, "has moved to") != len(old) || !strings.Contains(out, "Plan: 0 to add, 0 to change, 0 to destroy.") {
				t.Fatalf("the plan has more than moves:\n%s", out)
			}
			tf.Apply(t)
			tf.ExpectNoChanges(t)
			tf.Destroy(t)
			writes := map[string]int{}
			for _, request := range w.Requests() {
				if request.Method != http.MethodGet {
					writes[request.Method+" "+path.Base(request.Path)]++
				}
			}
			want := map[string]int{}
			for _, id := range ids {
				want["DELETE "+id] = 1
			}
			if !maps.Equal(writes, want) {
				t.Errorf("the requests are %v instead of one DELETE for each of %v", writes, ids)
			}
		})
	}
}

// TestAccMoved_refused moves what is not the same object, or does not exist. Each error
// says what to do, and no plan deletes anything.
func TestAccMoved_refused(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for name, test := range map[string]struct {
		from, id, to string
		errors       []string
	}{
		"other kind":   {"ngrok_ssh_credential", "sshcr_2abc", "tunnel_ssh_host_certificate", []string{"Cannot move to another resource type", "destroy = false"}},
		"no object":    {"ngrok_reserved_addr", "ra_none", "tunnel_reserved_address", []string{"Reserved address not found", "or the moved block"}},
		"several keys": {"ngrok_event_source", "a:b", "tunnel_event_source", []string{"Cannot move to tunnel_event_source", "Import the event source"}},
		"no ID":        {"ngrok_reserved_addr", "", "tunnel_reserved_address", []string{"Cannot move to tunnel_reserved_address", "has no valid id"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old := map[string]oldResource{test.to: {test.from, `"description": "old"`}}
			arguments := map[string]string{
				"tunnel_event_source":         `subscription_id = "esb_2abc"` + "\n" + `type = "ip_policy_created.v0"`,
				"tunnel_ssh_host_certificate": fmt.Sprintf("public_key = %q\nssh_certificate_authority_id = \"sshca_2abc\"", testcert.PublicKey(t, "")),
			}
			tf := w.Terraform(t, acctest.Resource(test.to+".x", arguments[test.to])+movedBlocks(old))
			tf.Needs(t, acctest.MovedAcrossTypes)
			writeOldState(t, tf, old, map[string]string{test.to: test.id})
			out, err := tf.TryPlan(t)
			for _, want := range test.errors {
				if text := strings.Join(strings.Fields(strings.ReplaceAll(out, "│", "")), " "); err == nil || !strings.Contains(text, want) {
					t.Errorf("the plan ends with %v and without %q:\n%s", err, want, acctest.Summary(out))
				}
			}
		})
	}
}

func movedBlocks(old map[string]oldResource) string {
	var text strings.Builder
	for to, resource := range old {
		fmt.Fprintf(&text, "moved {\n  from = %s.x\n  to   = %s.x\n}\n", resource.from, to)
	}
	return text.String()
}

// writeOldState writes a state of the other provider. Terraform needs its schema, but not
// the types in it.
func writeOldState(t *testing.T, tf *acctest.Terraform, old map[string]oldResource, ids map[string]string) {
	t.Helper()
	tf.ProvideAs(acctest.ProviderHost() + "/ngrok/ngrok")
	resources := []any{}
	for to, resource := range old {
		attributes := fmt.Sprintf(`{"id": %q, %s}`, ids[to], resource.attributes)
		resources = append(resources, map[string]any{
			"mode": "managed", "type": resource.from, "name": "x", "provider": fmt.Sprintf("provider[%q]", acctest.ProviderHost()+"/ngrok/ngrok"),
			"instances": []any{map[string]any{"schema_version": 0, "attributes": json.RawMessage(attributes)}},
		})
	}
	state, err := json.Marshal(map[string]any{
		"version": 4, "terraform_version": "1.8.0", "serial": 1, "lineage": "a", "outputs": map[string]any{}, "resources": resources,
	})
	if err != nil {
		t.Fatal(err)
	}
	tf.Write(t, "terraform.tfstate", string(state))
}

func movedConfig(t *testing.T, kinds map[string]oldResource) string {
	t.Helper()
	chain := testcert.ChainOf{}.New(t)
	arguments := map[string][]string{
		"tunnel_ssh_credential":            {fmt.Sprintf("public_key = %q", testcert.PublicKey(t, ""))},
		"tunnel_ssh_certificate_authority": {`private_key_type = "ed25519"`},
		"tunnel_ssh_host_certificate": {
			fmt.Sprintf("public_key = %q", testcert.PublicKey(t, "")), `principals = ["db.example.com"]`,
			"ssh_certificate_authority_id = tunnel_ssh_certificate_authority.x.id",
		},
		"tunnel_reserved_domain":       {`domain = "moved.example.com"`},
		"tunnel_reserved_address":      {`description = "moved"`},
		"tunnel_failover_backend":      {"backends = [tunnel_http_response_backend.x.id]"},
		"tunnel_group_backend":         {`labels = { app = "shop" }`},
		"tunnel_http_response_backend": {`body = "moved"`},
		"tunnel_event_destination":     {"target = { debug = { log = true } }"},
		"tunnel_event_subscription":    {"destination_ids = [tunnel_event_destination.x.id]"},
		"tunnel_bot_user":              {`name = "moved"`},
		"tunnel_ip_policy":             {`description = "moved"`},
		"tunnel_ip_policy_rule":        {"ip_policy_id = tunnel_ip_policy.x.id", `cidr = "192.0.2.0/24"`, `action = "allow"`},
		"tunnel_tls_certificate": {
			fmt.Sprintf("certificate_pem = %q", chain.PEM()), fmt.Sprintf("private_key_pem = %q", chain.PKCS8(t)),
		},
	}
	var text strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		text.WriteString(acctest.Resource(kind+".x", arguments[kind]...))
	}
	return text.String()
}

// TestMoved_privateDataOfAnyForm moves an object whose state has private data, which only
// the other provider can read.
func TestMoved_privateDataOfAnyForm(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for _, private := range []string{"", "not JSON", "\xff\x00", "[]", `"a"`, `{"a": "/w=="}`, `{"a": "YQ=="}`, `{"schema_version": "1"}`} {
		resp := moveWith(t, p, "ngrok_ip_policy", "tunnel_ip_policy", []byte(private))
		p.Must(resp.Diagnostics)
		if got := p.Strings(p.Value(p.Type("tunnel_ip_policy"), resp.TargetState)); got["id"] != "id_1" || len(resp.TargetPrivate) > 0 {
			t.Errorf("%q: moved to %v with the private data %q", private, got, resp.TargetPrivate)
		}
	}
}

func moveWith(t *testing.T, p *acctest.Protocol, from, to string, private []byte) *tfprotov6.MoveResourceStateResponse {
	t.Helper()
	resp, err := p.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceProviderAddress: "registry.opentofu.org/ngrok/ngrok", SourceTypeName: from, TargetTypeName: to, SourcePrivate: private,
		SourceState: &tfprotov6.RawState{JSON: []byte(`{"id": "id_1", "description": "old", "acl": 3, "unknown": {"a": [1]}}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return resp
}
