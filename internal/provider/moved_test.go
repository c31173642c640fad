package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// movedTo are the resources by the types that the public provider ngrok/ngrok has for
// them, with their required arguments and a reference to another one.
func movedTo(t *testing.T) map[string][]string {
	t.Helper()
	chain := testcert.ChainOf{}.New(t)
	key := func() string { return fmt.Sprintf("public_key = %q", testcert.PublicKey(t, "")) }
	return map[string][]string{
		"ngrok_tls_certificate": {
			"tunnel_tls_certificate", fmt.Sprintf("certificate_pem = %q", chain.PEM()), fmt.Sprintf("private_key_pem = %q", chain.PKCS8(t)),
		},
		"ngrok_ssh_credential":            {"tunnel_ssh_credential", key()},
		"ngrok_ssh_certificate_authority": {"tunnel_ssh_certificate_authority"},
		"ngrok_ssh_host_certificate": {
			"tunnel_ssh_host_certificate", key(),
			"ssh_certificate_authority_id = tunnel_ssh_certificate_authority.ngrok_ssh_certificate_authority.id",
		},
		"ngrok_reserved_domain":       {"tunnel_reserved_domain", `domain = "moved.example.com"`},
		"ngrok_domain":                {"tunnel_reserved_domain", `domain = "new.example.com"`},
		"ngrok_reserved_addr":         {"tunnel_reserved_address"},
		"ngrok_tcp_address":           {"tunnel_reserved_address"},
		"ngrok_failover_backend":      {"tunnel_failover_backend", "backends = [tunnel_http_response_backend.ngrok_http_response_backend.id]"},
		"ngrok_tunnel_group_backend":  {"tunnel_group_backend", `labels = { app = "shop" }`},
		"ngrok_http_response_backend": {"tunnel_http_response_backend", `body = "moved"`},
		"ngrok_event_destination":     {"tunnel_event_destination", "target = { debug = { log = true } }"},
		"ngrok_event_subscription": {
			"tunnel_event_subscription", "destination_ids = [tunnel_event_destination.ngrok_event_destination.id]",
		},
		"ngrok_bot_user":     {"tunnel_bot_user", `name = "moved"`},
		"ngrok_service_user": {"tunnel_bot_user", `name = "new"`},
		"ngrok_ip_policy":    {"tunnel_ip_policy"},
		"ngrok_ip_policy_rule": {
			"tunnel_ip_policy_rule", "ip_policy_id = tunnel_ip_policy.ngrok_ip_policy.id", `cidr = "192.0.2.0/24"`, `action = "allow"`,
		},
	}
}

// TestAccMoved_fromAnotherProvider moves resources from the state of another provider.
// The plan changes no object, and a destroy deletes each once.
func TestAccMoved_fromAnotherProvider(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	var config, blocks string
	old := movedTo(t)
	for from, to := range old {
		config += acctest.Resource(to[0]+"."+from, to[1:]...)
		blocks += movedBlock(from, to[0])
	}
	before := w.Terraform(t, config)
	before.Apply(t)
	ids := map[string]string{}
	for from, to := range old {
		for _, resource := range before.State(t).Values.RootModule.Resources {
			if resource.Address == to[0]+"."+from {
				ids[from], _ = resource.AttributeValues["id"].(string)
			}
		}
	}
	w.ResetStats()

	privateKey := regexp.MustCompile(`(?m)^ *private_key_pem = .*$`) // the service never returns it, so no state has it
	tf := w.Terraform(t, privateKey.ReplaceAllString(config, "")+blocks)
	tf.Needs(t, acctest.MovedAcrossTypes)
	writeOldState(t, tf, ids)
	if out, err := tf.TryPlan(t, "-refresh=false"); err == nil || !strings.Contains(out, "has not been read yet") {
		t.Errorf("a plan without a refresh ends with %v:\n%s", err, acctest.Summary(out))
	}
	out := tf.Plan(t)
	if strings.Count(out, "has moved to") != len(old) || !strings.Contains(out, "Plan: 0 to add, 0 to change, 0 to destroy.") {
		t.Fatalf("the plan has more than moves:\n%s", out)
	}
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	tf.Destroy(t)
	writes, want := map[string]int{}, map[string]int{}
	for _, request := range w.Requests() {
		if request.Method != http.MethodGet {
			writes[request.Method+" "+path.Base(request.Path)]++
		}
	}
	for _, id := range ids {
		want["DELETE "+id] = 1
	}
	if !maps.Equal(writes, want) {
		t.Errorf("the requests are %v instead of one DELETE for each of %v", writes, ids)
	}
}

// TestAccMoved_refused moves what is not the same object, or does not exist. Each error
// says what to do, and no plan deletes anything.
func TestAccMoved_refused(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for name, test := range map[string]struct {
		from, id, to, arguments string
		errors                  []string
	}{
		"other kind": {
			"ngrok_ssh_credential", "sshcr_2abc", "tunnel_reserved_address", "", []string{"Cannot move to another resource type", "destroy = false"},
		},
		"no object": {"ngrok_reserved_addr", "ra_none", "tunnel_reserved_address", "", []string{"Reserved address not found", "or the moved block"}},
		"several keys": {
			"ngrok_event_source", "a:b", "tunnel_event_source", "subscription_id = \"esb_2abc\"\ntype = \"ip_policy_created.v0\"",
			[]string{"Cannot move to tunnel_event_source", "Import the event source"},
		},
		"no ID": {"ngrok_reserved_addr", "", "tunnel_reserved_address", "", []string{"Cannot move to tunnel_reserved_address", "has no valid id"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tf := w.Terraform(t, acctest.Resource(test.to+"."+test.from, test.arguments)+movedBlock(test.from, test.to))
			tf.Needs(t, acctest.MovedAcrossTypes)
			writeOldState(t, tf, map[string]string{test.from: test.id})
			if out, err := tf.TryPlan(t); err == nil || !acctest.InError(test.errors...).MatchString(out) {
				t.Errorf("the plan ends with %v and without %q:\n%s", err, test.errors, acctest.Summary(out))
			}
		})
	}
}

func movedBlock(from, to string) string {
	return fmt.Sprintf("moved {\n  from = %[1]s.x\n  to   = %[2]s.%[1]s\n}\n", from, to)
}

// writeOldState writes a state of the other provider, which stores nested blocks as lists
// in some versions and as objects in others. Terraform needs its schema, but not the
// types in it.
func writeOldState(t *testing.T, tf *acctest.Terraform, ids map[string]string) {
	t.Helper()
	other := acctest.ProviderHost() + "/ngrok/ngrok"
	tf.ProvideAs(other)
	resources := []any{}
	for from, id := range ids {
		resources = append(resources, map[string]any{
			"mode": "managed", "type": from, "name": "x", "provider": fmt.Sprintf("provider[%q]", other),
			"instances": []any{map[string]any{"schema_version": 0, "attributes": map[string]any{
				"id": id, "description": "old", "region": "us", "acl": nil, "target": []any{map[string]any{"debug": []any{}}}, "private_key_pem": "old",
			}}},
		})
	}
	tf.Write(t, "terraform.tfstate", quoted(map[string]any{
		"version": 4, "terraform_version": "1.8.0", "serial": 1, "lineage": "a", "outputs": map[string]any{}, "resources": resources,
	}))
}

// TestMoved_privateDataOfAnyForm moves an object whose state has private data, which only
// the other provider can read.
func TestMoved_privateDataOfAnyForm(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for _, private := range []string{"", "not JSON", "\xff\x00", "[]", `{"a": "/w=="}`, `{"schema_version": "1"}`} {
		resp, err := p.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
			SourceProviderAddress: "registry.opentofu.org/ngrok/ngrok", SourceTypeName: "ngrok_ip_policy", TargetTypeName: "tunnel_ip_policy",
			SourceState: &tfprotov6.RawState{JSON: json.RawMessage(`{"id": "id_1", "acl": 3, "unknown": {"a": [1]}}`)}, SourcePrivate: []byte(private),
		})
		if err != nil {
			t.Fatal(err)
		}
		p.Must(resp.Diagnostics)
		if got := p.Strings(p.Value(p.Type("tunnel_ip_policy"), resp.TargetState)); got["id"] != "id_1" || len(resp.TargetPrivate) > 0 {
			t.Errorf("%q: moved to %v with the private data %q", private, got, resp.TargetPrivate)
		}
	}
}
