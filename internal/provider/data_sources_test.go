package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

type arguments = map[string]tftypes.Value

func quoted(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// hostCertificate creates an SSH host certificate without Terraform. Its
// validity ends the given time from now.
func hostCertificate(t *testing.T, w *acctest.Env, until time.Duration, principals ...string) string {
	t.Helper()
	return w.Create("/ssh_host_certificates", quoted(map[string]any{
		"ssh_certificate_authority_id": w.Parents.SSHCertificateAuthority, "public_key": testcert.PublicKey(t, "root@host"), "principals": principals,
		"valid_after": time.Now().AddDate(-1, 0, 0).UTC().Format(time.RFC3339), "valid_until": time.Now().Add(until).UTC().Format(time.RFC3339),
	}))
}

func TestDataSource_equalsResource(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		p := w.Protocol(t)
		for _, row := range acctest.Kinds {
			kind, keys := row.Type, row.Create(t, w)
			given := arguments{}
			for name, key := range keys {
				given[name] = text(key)
			}
			attributes := p.Attributes(p.DataSource(kind, given))
			imported, identity := p.Import(kind, row.ImportID(keys), nil)
			if !maps.Equal(identity, keys) {
				t.Errorf("%s: the identity is %v, want %v", kind, identity, keys)
			}
			for name, value := range p.Attributes(imported) {
				if slices.Contains(row.ResourceOnly, name) {
					if _, ok := attributes[name]; ok {
						t.Errorf("%s shows %s, which is the resource's own", kind, name)
					}
				} else if !attributes[name].Equal(value) {
					t.Errorf("%s: %s is %s, in the resource %s", kind, name, attributes[name], value)
				}
			}
		}
	})
}

func TestDataSource_notFound(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		p := w.Protocol(t)
		for kind, want := range map[string]struct {
			given arguments
			texts []string
		}{
			"tunnel_tls_certificate":              {arguments{"id": text("cert_none")}, []string{`id = "cert_none"`, "Check the ID"}},
			"tunnel_tls_edge_policy":              {arguments{"edge_id": text(w.Parents.TLSEdge)}, []string{"edge_id", w.Parents.TLSEdge}},
			"tunnel_event_source":                 {arguments{"subscription_id": text(w.Parents.EventSubscription), "type": text("a.v0")}, []string{w.Parents.EventSubscription, "a.v0"}},
			"tunnel_https_edge_route_compression": {arguments{"edge_id": text("edghts_none"), "route_id": text("edghtsrt_none")}, []string{"edghts_none", "edghtsrt_none"}},
		} {
			_, diagnostics := p.TryDataSource(kind, want.given)
			if len(diagnostics) != 1 || !strings.HasSuffix(diagnostics[0].Summary, " not found") {
				t.Errorf("%s: %+v", kind, diagnostics)
				continue
			}
			for _, text := range want.texts {
				if !strings.Contains(diagnostics[0].Detail, text) {
					t.Errorf("%s: %q does not name %s", kind, diagnostics[0].Detail, text)
				}
			}
		}
	})
}

func TestDataSource_expired(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	now := time.Now()
	for want, of := range map[bool]testcert.ChainOf{
		true:  {NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.Add(-time.Minute)},
		false: {NotBefore: now.AddDate(-1, 0, 0), NotAfter: now.Add(time.Minute)},
	} {
		attributes := p.Attributes(p.DataSource("tunnel_tls_certificate", arguments{"id": text(w.Upload(t, of.New(t), ""))}))
		if !attributes["expired"].Equal(tftypes.NewValue(tftypes.Bool, want)) {
			t.Errorf("not_after %s: expired is %s", of.NotAfter, attributes["expired"])
		}
	}
	for want, until := range map[bool]time.Duration{true: -time.Minute, false: time.Minute} {
		attributes := p.Attributes(p.DataSource("tunnel_ssh_host_certificate", arguments{"id": text(hostCertificate(t, w, until))}))
		if !attributes["expired"].Equal(tftypes.NewValue(tftypes.Bool, want)) {
			t.Errorf("valid for %s: expired is %s", until, attributes["expired"])
		}
	}
}

// found returns the ids of the objects in a plural data source, or their types
// if they have no ids.
func found(p *acctest.Protocol, name string, given arguments) []string {
	var ids []string
	for _, element := range p.Elements(p.DataSource("tunnel_"+name, given), name) {
		keys := p.Strings(element)
		if keys["id"] == "" {
			keys["id"] = keys["type"]
		}
		ids = append(ids, keys["id"])
	}
	return ids
}

func labels(pairs map[string]string) tftypes.Value {
	return headers(pairs)
}

func TestDataSources_filters(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		p := w.Protocol(t)
		now := time.Now()
		soon := text(now.AddDate(0, 0, 30).UTC().Format(time.RFC3339))
		ids := map[string]string{}
		ids["old"] = w.Upload(t, testcert.ChainOf{Names: []string{"*.example.com"}, NotAfter: now.AddDate(0, 0, 10)}.New(t), "prod: old")
		ids["new"] = w.Upload(t, testcert.ChainOf{Names: []string{"www.example.com"}, NotAfter: now.AddDate(0, 0, 300)}.New(t), "Prod: new")
		ids["api"] = w.Upload(t, testcert.ChainOf{Names: []string{"api.example.org"}, NotAfter: now.AddDate(0, 0, 300)}.New(t), "")
		ids["all"] = hostCertificate(t, w, 24*time.Hour)
		ids["one"] = hostCertificate(t, w, 240*24*time.Hour, "one.example.com", "192.0.2.1")
		ids["wild"] = hostCertificate(t, w, 240*24*time.Hour, "*.example.com")
		authority := w.Create("/ssh_certificate_authorities", "{}")
		ids["ca"] = w.Create("/ssh_host_certificates", quoted(map[string]any{"ssh_certificate_authority_id": authority, "public_key": testcert.PublicKey(t, ""), "principals": []string{"else"}}))
		ids["mine"] = w.Create("/ssh_credentials", quoted(map[string]any{"public_key": testcert.PublicKey(t, ""), "metadata": `{"team":"a"}`}))
		ids["bots"] = w.Create("/ssh_credentials", quoted(map[string]any{"public_key": testcert.PublicKey(t, ""), "owner_id": w.OrdinaryOwner}))
		ids["web"] = w.Create("/backends/tunnel_group", `{"labels": {"app": "web", "env": "prod"}, "description": "web.prod"}`)
		ids["db"] = w.Create("/backends/tunnel_group", `{"labels": {"app": "db", "env": "prod"}}`)
		ids["shop"] = w.Create("/edges/tls", `{"hostports": ["www.example.com:443", "Shop.example.com:443"]}`)
		ids["late"] = w.Create("/edges/tls", `{"hostports": ["*.example.com:8443"]}`)
		ids["tcp"] = w.Create("/edges/tcp", `{"hostports": ["1.tcp.example.com:20001"]}`)
		ids["fo"] = w.Create("/backends/failover", quoted(map[string]any{"backends": []string{ids["web"]}, "description": "x"}))
		sources := "/event_subscriptions/" + w.Parents.EventSubscription + "/sources"
		for _, kind := range []string{"domain_created.v0", "ip_policy_created.v0", "ip_policy_updated.v0"} {
			w.Create(sources, quoted(map[string]string{"type": kind}))
			ids[kind] = kind
		}
		of := text(w.Parents.EventSubscription)

		for _, test := range []struct {
			name  string
			given arguments
			want  string
		}{
			{"tls_certificates", nil, "api new old"},
			{"tls_certificates", arguments{"description_regex": text("^prod")}, "old"},
			{"tls_certificates", arguments{"description_regex": text("(?i)^prod")}, "new old"},
			{"tls_certificates", arguments{"description_regex": text("^$")}, "api"},
			{"tls_certificates", arguments{"hostname": text("www.example.com")}, "new old"},
			{"tls_certificates", arguments{"hostname": text("www.example.com"), "expires_before": soon}, "old"},
			{"tls_certificates", arguments{"hostname": text("example.com")}, ""},
			{"ssh_host_certificates", arguments{"principal": text("One.example.com")}, "all one"}, // ssh matches no wildcards
			{"ssh_host_certificates", arguments{"principal": text("192.0.2.1")}, "all one"},
			{"ssh_host_certificates", arguments{"expires_before": soon}, "all"},
			{"ssh_host_certificates", arguments{"ssh_certificate_authority_id": text(authority)}, "ca"},
			{"ssh_credentials", arguments{"owner_id": text(w.OrdinaryOwner)}, "bots"},
			{"ssh_credentials", arguments{"metadata": text(`"team":"a"`)}, "mine"},
			{"group_backends", arguments{"labels": labels(map[string]string{"env": "prod"})}, "db web"},
			{"group_backends", arguments{"labels": labels(map[string]string{"env": "prod", "app": "web"})}, "web"},
			{"group_backends", arguments{"labels": labels(map[string]string{"env": ""})}, ""},
			{"group_backends", arguments{"label": labels(map[string]string{"app": "web"})}, "web"},
			{"group_backends", arguments{"label": labels(map[string]string{"env": "prod"})}, "db web"},
			{"tls_edges", arguments{"hostport": text("shop.example.COM:443")}, "shop"},
			{"tls_edges", arguments{"hostport": text("*.example.com:8443")}, "late"},
			{"tls_edges", arguments{"hostport": text("a.example.com:8443")}, ""},
			{"tls_edges", arguments{"hostport": text("www.example.com:8443")}, ""},
			{"https_edges", arguments{"hostport": text("www.example.com:443")}, ""},
			{"tcp_edges", arguments{"hostport": text("1.tcp.example.com:20001")}, "tcp"},
			{"failover_backends", arguments{"description_regex": text("y")}, ""},
			{"failover_backends", nil, "fo"},
			{"event_sources", arguments{"subscription_id": of}, "domain_created.v0 ip_policy_created.v0 ip_policy_updated.v0"},
			{"event_sources", arguments{"subscription_id": of, "type_regex": text("^ip_.*_updated")}, "ip_policy_updated.v0"},
		} {
			var want []string
			for name := range strings.FieldsSeq(test.want) {
				want = append(want, ids[name])
			}
			slices.Sort(want)
			got := found(p, test.name, test.given)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s %v: found %v, want %v", test.name, slices.Collect(maps.Keys(test.given)), got, want)
			}
			var listed []string
			for _, result := range p.List("tunnel_"+strings.TrimSuffix(test.name, "s"), 0, test.given) {
				listed = append(listed, result.Keys["id"]+result.Keys["type"])
			}
			slices.Sort(listed)
			if !slices.Equal(listed, want) {
				t.Errorf("%s %v: listed %v, want %v", test.name, slices.Collect(maps.Keys(test.given)), listed, want)
			}
		}
	})
}

func TestDataSources_invalidFilters(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	for _, test := range []struct{ name, argument, value, want string }{
		{"group_backend", "description_regex", "(prod", "description_regex must be a regular expression in RE2 syntax, such as ^prod-; found \"(prod\": missing closing )"},
		{"group_backend", "description_regex", "^(?!prod)", "RE2 does not support lookahead"},
		{"event_source", "type_regex", "*_created", "To match any text, use .*"},
		{"tls_certificate", "expires_before", "tomorrow", "RFC 3339"},
		{"tls_certificate", "hostname", "*.example.com", "without wildcards"},
		{"ssh_host_certificate", "principal", "*.example.com", "without wildcards"},
		{"ssh_credential", "owner_id", "", "must not be empty"},
		{"tls_edge", "hostport", "www.example.com", "must have the form host:port"},
	} {
		_, refused := p.TryList("tunnel_"+test.name, 0, arguments{test.argument: text(test.value)})
		expect(t, refused, test.argument, test.want)
		_, refused = p.TryDataSource("tunnel_"+test.name+"s", arguments{test.argument: text(test.value)})
		expect(t, refused, test.argument, test.want)
	}
	null := arguments{"labels": tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"env": tftypes.NewValue(tftypes.String, nil)})}
	_, refused := p.TryList("tunnel_group_backend", 0, null)
	expect(t, refused, "labels", "must not be null")
	_, refused = p.TryDataSource("tunnel_group_backends", arguments{"label": labels(map[string]string{"app": "web", "env": "prod"})})
	expect(t, refused, "label", "must be one label, such as { app = \"web\" }; found 2. Use labels")
	valid, err := p.ValidateDataResourceConfig(t.Context(), &tfprotov6.ValidateDataResourceConfigRequest{
		TypeName: "tunnel_group_backends", Config: p.Dynamic(acctest.Object(p.Schema.DataSourceSchemas["tunnel_group_backends"].ValueType(), null)),
	})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, valid.Diagnostics, "labels", "must not be null")
}

// TestDataSources_missingListIsEmpty checks that expressions such as contains()
// work for all objects.
func TestDataSources_missingListIsEmpty(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		p := w.Protocol(t)
		edge := w.Create("/edges/tls", "{}")
		w.Create("/ssh_credentials", quoted(map[string]any{"public_key": testcert.PublicKey(t, "")}))
		hostCertificate(t, w, time.Hour)
		w.Create("/backends/http_response", `{"status_code": 404}`)
		for name, list := range map[string]string{
			"tls_edges": "hostports", "ssh_credentials": "acl", "ssh_host_certificates": "principals", "http_response_backends": "headers",
			"event_subscriptions": "destination_ids", "group_backends": "tunnels",
		} {
			for _, object := range p.Elements(p.DataSource("tunnel_"+name, nil), name) {
				if value := p.Attributes(object)[list]; value.IsNull() || !value.IsFullyKnown() {
					t.Errorf("%s of %s is %s", list, name, value)
				}
			}
		}
		if value := p.Attributes(p.DataSource("tunnel_tls_edge", arguments{"id": text(edge)}))["hostports"]; value.IsNull() || len(p.Elements(p.DataSource("tunnel_tls_edge", arguments{"id": text(edge)}), "hostports")) > 0 {
			t.Errorf("hostports of one edge without them is %s", value)
		}
	})
}

func TestDataSources_allPagesInStableOrder(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		seeded := w.SeedSSHCredentials(250)
		first := found(w.Protocol(t), "ssh_credentials", nil)
		if got, want := slices.Sorted(slices.Values(first)), slices.Sorted(slices.Values(seeded)); !slices.Equal(got, want) {
			t.Errorf("found %d, want all %d", len(got), len(want))
		}
		if again := found(w.Protocol(t), "ssh_credentials", nil); !slices.Equal(first, again) {
			t.Error("another order the second time")
		}
		created := w.Create("/ssh_credentials", quoted(map[string]string{"public_key": testcert.PublicKey(t, "")}))
		if again := found(w.Protocol(t), "ssh_credentials", nil); len(again) != 251 || again[250] != created || !slices.Equal(again[:250], first) {
			t.Errorf("the newest is not the last: %s", fmt.Sprint(slices.Index(again, created)))
		}
	})
}
