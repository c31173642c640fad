package provider_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

var unknown = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)

func headers(pairs map[string]string) tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, value := range pairs {
		values[name] = text(value)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}

func TestMain(m *testing.M) { os.Exit(acctest.Main(m)) }

func expect(t *testing.T, diagnostics []*tfprotov6.Diagnostic, attribute, want string) {
	t.Helper()
	at := acctest.At(attribute).String()
	for _, d := range diagnostics {
		if found := d.Attribute.String(); strings.HasPrefix(found, at) && (found == "") == (at == "") && strings.Contains(d.Detail, want) {
			return
		}
	}
	t.Errorf("no error at %s with %q among %d", attribute, want, len(diagnostics))
	for _, d := range diagnostics {
		t.Logf("%s: %s: %s", d.Attribute, d.Summary, d.Detail)
	}
}

func TestProvider_validateConfig(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		argument string
		value    tftypes.Value
		want     string
	}{
		"own header":        {"headers", headers(map[string]string{"authorization": "x"}), "is reserved"},
		"version header":    {"headers", headers(map[string]string{"Service-Version": "3"}), "is reserved"},
		"no header name":    {"headers", headers(map[string]string{"a b": "x"}), "must be an HTTP header name"},
		"null header":       {"headers", tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"X": tftypes.NewValue(tftypes.String, nil)}), "must not be null. Remove null elements, for example with { for k, v in ... : k => v if v != null }"},
		"header twice":      {"headers", headers(map[string]string{"X-A": "x", "x-a": "y"}), "are the same header"},
		"HTTP's own header": {"headers", headers(map[string]string{"Host": "x"}), "is reserved"},
		"two lines":         {"headers", headers(map[string]string{"X-A": "x\r\nY: z"}), "control character"},
		"retries below 0":   {"max_retries", tftypes.NewValue(tftypes.Number, -1), "must be from 0 to 100"},
		"no duration":       {"request_timeout", text("30"), `with a unit, such as 45s, 2m or 1h30m (units: s, m and h, without spaces); found "30"`},
		"hours below 0":     {"expiry_warning_hours", acctest.Number(-1), "must be from 0 to 876000"},
		"too many hours":    {"expiry_warning_hours", acctest.Number(876001), "must be from 0 to 876000"},
		"no time at all":    {"request_timeout", text("0s"), "must be a positive duration"},
		"address":           {"base_url", text("example.com"), "https://"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := acctest.NewProtocol(t)
			config, err := tfprotov6.NewDynamicValue(p.Schema.Provider.ValueType(), acctest.Object(p.Schema.Provider.ValueType(), map[string]tftypes.Value{test.argument: test.value}))
			if err != nil {
				t.Fatal(err)
			}
			resp, err := p.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: &config})
			if err != nil {
				t.Fatal(err)
			}
			expect(t, resp.Diagnostics, test.argument, test.want)
		})
	}
}

func TestProvider_unknownKeyIsNotMissing(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	p.Configure(map[string]tftypes.Value{"base_url": text("https://h"), "api_key": unknown})

	// A plan does not need the service.
	of := p.Type("tunnel_group_backend")
	labels := tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"a": text("b")})
	config := acctest.Object(of, map[string]tftypes.Value{"labels": labels})
	p.Must(p.Plan("tunnel_group_backend", tftypes.NewValue(of, nil), config).Diagnostics)

	// A read needs the service, and reports what is missing.
	state, err := tfprotov6.NewDynamicValue(of, acctest.Object(of, map[string]tftypes.Value{"id": text("bkdtg_1"), "labels": labels}))
	if err != nil {
		t.Fatal(err)
	}
	read, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{TypeName: "tunnel_group_backend", CurrentState: &state})
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Diagnostics) != 1 || !strings.Contains(read.Diagnostics[0].Detail, "known only after apply") {
		t.Errorf("got %+v", read.Diagnostics)
	}
}

func TestAccProvider_keyKnownAfterApply(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := w.Terraform(t, "")
	tf.Write(t, "main.tf", acctest.RequiredProviders+fmt.Sprintf(`
resource "terraform_data" "key" { input = %q }
provider "tunnel" {
  base_url = %q
  api_key  = terraform_data.key.output
}
`, w.AdminKey, w.URL)+backend)
	tf.Apply(t)
	tf.ExpectNoChanges(t)
}

func TestProvider_environment(t *testing.T) {
	w := acctest.Start(t)
	t.Setenv("TUNNEL_BASE_URL", w.URL+"/")
	t.Setenv("TUNNEL_API_KEY", w.AdminKey)
	p := acctest.NewProtocol(t)
	p.Configure(nil)
	id := w.Create("/backends/tunnel_group", `{"labels": {"a": "b"}}`)
	if state, _ := p.Import("tunnel_group_backend", id, nil); p.Strings(state)["id"] != id {
		t.Errorf("read %v", p.Strings(state))
	}

	t.Setenv("TUNNEL_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("TUNNEL_API_KEY", "wrong")
	if state, _ := w.Protocol(t).Import("tunnel_group_backend", id, nil); p.Strings(state)["id"] != id {
		t.Error("the environment beat the configuration")
	}
}

func TestProvider_headersAndUserAgent(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := acctest.NewProtocol(t)
	p.Configure(map[string]tftypes.Value{"base_url": text(w.URL), "api_key": text(w.AdminKey), "headers": headers(map[string]string{"X-Gateway": "g1"})})
	p.Import("tunnel_group_backend", w.Create("/backends/tunnel_group", `{"labels": {"a": "b"}}`), nil)
	requests := w.Requests()
	if len(requests) != 2 {
		t.Fatalf("%d requests, want the check and the read", len(requests))
	}
	got := requests[1].Header
	if got.Get("X-Gateway") != "g1" || got.Get("User-Agent") != "terraform-provider-tunnel/test (+terraform/1.11.4)" || got.Get("Service-Version") != "2" {
		t.Errorf("sent %v", got)
	}
}

func TestProvider_appendedUserAgent(t *testing.T) {
	t.Setenv("TF_APPEND_USER_AGENT", " pipeline/7 (team\nplatform) ")
	w := acctest.Start(t)
	w.Protocol(t)
	if got := w.Requests()[0].Header.Get("User-Agent"); got != "terraform-provider-tunnel/test (+terraform/1.11.4) pipeline/7 (teamplatform)" {
		t.Errorf("sent %q", got)
	}
}

const backend = `resource "tunnel_group_backend" "test" { labels = { a = "b" } }`

// TestAccProvider_traceLogs runs the compiled provider, because main turns logs
// on and off.
func TestAccProvider_traceLogs(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf, _ := acctest.Installed(t, w.Config("")+backend)
	tf.Log("trace.log")
	tf.Plan(t)
	if logs := tf.Read(t, "trace.log"); !strings.Contains(logs, "Calling provider defined") || strings.Contains(logs, w.AdminKey) {
		t.Error("TF_LOG=TRACE gives no full log, or one with the API key")
	}
}
