package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// importErrors returns the diagnostics of an import, and of the read after it.
func importErrors(t *testing.T, p *acctest.Protocol, resource, id string) []*tfprotov6.Diagnostic {
	t.Helper()
	resp, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: resource, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	if len(resp.ImportedResources) == 0 {
		return resp.Diagnostics
	}
	imported := resp.ImportedResources[0]
	read, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: resource, CurrentState: imported.State, CurrentIdentity: imported.Identity})
	if err != nil {
		t.Fatal(err)
	}
	return append(resp.Diagnostics, read.Diagnostics...)
}

func TestImport_errorsSayWhatToUse(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	for name, test := range map[string]struct {
		resource, id string
		says         []string
	}{
		"empty":        {"tls_edge", "", []string{"Expected id, such as edgtls_2abc; found an empty string."}},
		"URI":          {"tls_edge", w.URL + "/edges/tls/" + w.Parents.TLSEdge, []string{"found a URI", "Use only the IDs in it."}},
		"another kind": {"tls_edge", w.Parents.TCPEdge, []string{"no TLS edge with id", "Expected an ID such as edgtls_2abc"}},
		"unset module": {"tls_edge_policy", w.Parents.TLSEdge, []string{"no TLS edge policy with edge_id", "the TLS edge does not have it, or an ID is wrong", "Only existing objects can be imported"}},
		"name":         {"tls_edge", "web", []string{"Expected an ID such as edgtls_2abc. To find it, use the data source tunnel_tls_edges or terraform query."}},
		"comma":        {"https_edge_route", "edghts_1,edghtsrt_1", []string{`found no slash in "edghts_1,edghtsrt_1"`}},
		"long word":    {"tls_edge", strings.Repeat("hunter2", 10), []string{`id = "hunter2hunte… (70 bytes)"`}},
		"missing":      {"tls_edge", "edgtls_none", []string{"no TLS edge with id", "Only existing objects can be imported"}},
	} {
		found := importErrors(t, p, "tunnel_"+test.resource, test.id)
		if len(found) != 1 || found[0].Severity != tfprotov6.DiagnosticSeverityError {
			t.Fatalf("%s: got %+v", name, found)
		}
		for _, want := range test.says {
			if !strings.Contains(found[0].Detail, want) {
				t.Errorf("%s: %q is not in %q", name, want, found[0].Detail)
			}
		}
	}
}

func TestAccMessages_apply(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t, testserver.WithBehavior("require_reserved"))
	route := func(name, match string) string {
		return "resource \"tunnel_https_edge_route\" \"" + name + "\" {\n  edge_id = \"" + w.Parents.HTTPSEdge + "\"\n  match_type = \"path_prefix\"\n  match = \"" + match + "\"\n}\n"
	}
	w.Create("/edges/https/"+w.Parents.HTTPSEdge+"/routes", `{"match_type": "path_prefix", "match": "/taken/"}`)
	key := testcert.PublicKey(t, "")
	ignoring := func(name string) string { return "lifecycle {\n    ignore_changes = [" + name + "]\n  }" }
	hostCertificate := func(description string) string {
		return acctest.Resource("tunnel_ssh_host_certificate.t", fmt.Sprintf("ssh_certificate_authority_id = %q", w.Parents.SSHCertificateAuthority),
			`principals = ["a.example.com"]`, fmt.Sprintf("public_key = %q", key), "validity_period_hours = 100", fmt.Sprintf("description = %q", description),
			ignoring("valid_until"))
	}
	destination := func(service string) string {
		return acctest.Resource("tunnel_event_destination.t", fmt.Sprintf("target = { datadog = { service = %q } }", service), `secret_wo = "s"`,
			"secret_wo_version = 1", ignoring("secret_wo"))
	}
	child := w.Create("/backends/failover", `{"backends": []}`)
	parent := w.Create("/backends/failover", `{"backends": ["`+child+`"]}`)
	for name, test := range map[string]struct {
		before, config string
		says           []string
	}{
		"unknown edge": {"", `resource "tunnel_tls_edge_policy" "t" { edge_id = "edgtls_none" }`, []string{
			"on main.tf line", "404 Not Found", "If the ID is wrong, find the right one with the data source tunnel_tls_edges.",
		}},
		"route of another edge": {"", `resource "tunnel_https_edge_route_compression" "t" {
  edge_id  = "` + w.Parents.HTTPSEdge + `"
  route_id = "edghtsrt_none"
}`, []string{`route_id = "edghtsrt_none"`, "The HTTPS edge route may belong to another HTTPS edge: set edge_id = tunnel_https_edge_route.NAME.edge_id"}},
		"unknown backend": {"", `resource "tunnel_failover_backend" "t" { backends = ["bkdtg_none"] }`, []string{"with the data source tunnel_group_backends, tunnel_failover_backends or tunnel_http_response_backends."}},
		"domain that is not reserved": {"", `resource "tunnel_tls_edge" "t" { hostports = ["www.example.com:443"] }`, []string{
			"Reserve the domain with tunnel_reserved_domain", "If it is reserved, check the port", "If the domain is wrong, find the right one with the data source tunnel_reserved_domains.",
		}},
		"address that is not reserved": {"", `resource "tunnel_tcp_edge" "t" { hostports = ["1.tcp.example.com:20009"] }`, []string{
			"Reserve an address with tunnel_reserved_address", "If the addr is wrong, find the right one with the data source tunnel_reserved_addresses.",
		}},
		"read-only key": {"", "provider \"tunnel\" {\n  alias = \"reader\"\n  base_url = \"" + w.URL + "\"\n  api_key = \"" + w.ReadOnlyKey + "\"\n}\n" +
			"resource \"tunnel_failover_backend\" \"t\" {\n  provider = tunnel.reader\n  backends = []\n}", []string{
			"with tunnel_failover_backend.t, on main.tf line", "403 Forbidden", "If it is read-only, use one with write permission.",
		}},
		"cycle": {"", "import {\n  to = tunnel_failover_backend.t\n  id = \"" + child + "\"\n}\n" +
			`resource "tunnel_failover_backend" "t" { backends = ["` + parent + `"] }`, []string{"creates a cycle (ERR_TUNNEL_400, field backends[0], operation ID"}},
		"unknown owner": {"", `resource "tunnel_ssh_credential" "t" {
  public_key = "` + testcert.PublicKey(t, "") + `"
  owner_id   = "usr_none"
}`, []string{"To use the owner of the API key, remove owner_id.", "with the data source tunnel_bot_users, or in the service (the provider does not manage users)."}},
		"moved to another type": {`resource "tunnel_failover_backend" "t" { backends = [] }`,
			"moved {\n  from = tunnel_failover_backend.t\n  to = tunnel_group_backend.t\n}\nresource \"tunnel_group_backend\" \"t\" { labels = { a = \"b\" } }",
			[]string{"A tunnel_failover_backend cannot become a tunnel_group_backend: they are different objects of the service. Remove the moved block."}},
		"swapped routes": {route("a", "/aa/") + route("b", "/bb/"), route("a", "/bb/") + route("b", "/aa/"), []string{"If two or more resources exchange their match, set it to an unused value in one of them, such as \"/"}},
		"taken match":    {route("c", "/cc/"), route("c", "/taken/"), []string{"If another resource has this match and gives it up in the same apply, apply again."}},
		"ignored secret": {
			destination("a"), destination("b"),
			[]string{"Missing secret", "If ignore_changes contains secret_wo, or is all, remove it there: Terraform does not pass the value then."},
		},
		"ignored end of a certificate": {
			hostCertificate("a"), hostCertificate("b"),
			[]string{"found both", "If ignore_changes contains valid_until, or is all, Terraform sets it to the value of the state: remove it there."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tf := w.Terraform(t, test.before)
			if strings.Contains(test.before, "_wo ") {
				tf.Needs(t, acctest.WriteOnlyArguments)
			}
			if test.before != "" {
				tf.Apply(t)
			}
			tf.Write(t, "main.tf", acctest.RequiredProviders+w.Config("%s", test.config))
			out, err := tf.TryApply(t)
			for _, want := range test.says {
				if err == nil || !acctest.InError(want).MatchString(out) {
					t.Errorf("%q is not in\n%s", want, acctest.Summary(out))
				}
			}
		})
	}
}

// A certificate cannot change its authority, so references are no advice.
func TestMessages_authorityInUse(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	authority := w.Parents.SSHCertificateAuthority
	w.Create("/ssh_host_certificates", `{"ssh_certificate_authority_id": "`+authority+`", "principals": ["a.example.com"], "public_key": "`+testcert.PublicKey(t, "")+`"}`)
	p := w.Protocol(t)
	const kind = "tunnel_ssh_certificate_authority"
	state, _ := p.Import(kind, authority, nil)
	null := p.Dynamic(tftypes.NewValue(p.Type(kind), nil))
	resp, err := p.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{TypeName: kind, PriorState: p.Dynamic(state), PlannedState: null, Config: null})
	if err != nil {
		t.Fatal(err)
	}
	if found := resp.Diagnostics; len(found) != 1 || !strings.Contains(found[0].Detail, "Delete these SSH host certificates first") || strings.Contains(found[0].Detail, "create_before_destroy") {
		t.Errorf("got %+v", found)
	}
}

// Without any configuration, one error fails the plan, not one for each
// resource.
func TestConfigure_nothingSetIsOneErrorOfReads(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	state, _ := w.Protocol(t).Import("tunnel_tls_edge", w.Parents.TLSEdge, nil)
	p := acctest.NewProtocol(t)
	for range 2 { // a second configuration reports it again
		acctest.ExpectNone(t, p.TryConfigure(nil))
		var found []*tfprotov6.Diagnostic
		for range 3 {
			resp, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "tunnel_tls_edge", CurrentState: p.Dynamic(state)})
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, resp.Diagnostics...)
			if after := p.Value(p.Type("tunnel_tls_edge"), resp.NewState); !after.Equal(state) {
				t.Errorf("the state became %s", after)
			}
		}
		errors := slices.DeleteFunc(found, func(d *tfprotov6.Diagnostic) bool { return d.Summary == "Object not refreshed" })
		if len(errors) != 1 || errors[0].Summary != "Missing provider configuration" {
			t.Errorf("got %+v", errors)
		}
	}
}

func TestDataSource_idOrLookup(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	for name, test := range map[string]struct {
		given arguments
		says  string
	}{
		"neither": {nil, "Exactly one of these attributes must be configured: [id,hostname]"},
		"both":    {arguments{"id": text("cert_1"), "hostname": text("www.example.com")}, "Exactly one of these attributes must be configured: [id,hostname]"},
		"unknown": {arguments{"id": tftypes.NewValue(tftypes.String, tftypes.UnknownValue), "hostname": text("www.example.com")}, ""},
		"id":      {arguments{"id": text("cert_1")}, ""},
		"empty":   {arguments{"id": text("")}, "id must be a value such as cert_2abc; found an empty string."},
	} {
		resp, err := p.ValidateDataResourceConfig(t.Context(), &tfprotov6.ValidateDataResourceConfigRequest{
			TypeName: "tunnel_tls_certificate", Config: p.Dynamic(acctest.Object(p.Schema.DataSourceSchemas["tunnel_tls_certificate"].ValueType(), test.given)),
		})
		if err != nil {
			t.Fatal(err)
		}
		if test.says == "" {
			acctest.ExpectNone(t, resp.Diagnostics)
		} else if len(resp.Diagnostics) != 1 || resp.Diagnostics[0].Detail != test.says {
			t.Errorf("%s: got %+v", name, resp.Diagnostics)
		}
	}
}
