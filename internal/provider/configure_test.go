package provider_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-exec/tfexec"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// jsonAnswer gives every request the same JSON response.
func jsonAnswer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// textAnswer gives every request the same response in plain text.
func textAnswer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestConfigure_checksAddressAndKey(t *testing.T) {
	t.Parallel()
	html := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "<html></html>")
		}
	}
	const failed, warned = tfprotov6.DiagnosticSeverityError, tfprotov6.DiagnosticSeverityWarning
	for name, test := range map[string]struct {
		service  http.HandlerFunc
		severity tfprotov6.DiagnosticSeverity // 0 for no diagnostic
		summary  string
		says     []string
		requests int64
	}{
		"right":              {jsonAnswer(200, `{"backends":[],"uri":"u","next_page_uri":null}`), 0, "", nil, 1},
		"unknown key, text":  {textAnswer(401, "unknown key\n"), failed, "Invalid API key", []string{"401 Unauthorized: unknown key", "TUNNEL_API_KEY"}, 1},
		"unknown key, empty": {textAnswer(401, ""), failed, "Invalid API key", []string{"401 Unauthorized", "TUNNEL_API_KEY"}, 1},
		"unknown key, page":  {html(401), failed, "Could not reach the API at base_url", []string{"401 Unauthorized", "If base_url is correct, check api_key"}, 1},
		"unknown key":        {jsonAnswer(401, `{"error_code":"ERR_1","msg":"no such key"}`), failed, "Invalid API key", []string{"401 Unauthorized", "TUNNEL_API_KEY"}, 1},
		"forbidden":          {jsonAnswer(403, `{"msg":"not allowed"}`), warned, "Could not validate base_url and api_key", []string{"403 Forbidden", "base_url", "api_key"}, 1},
		"wrong path":         {jsonAnswer(404, `{"error_code":"ERR_1","msg":"no such path"}`), failed, "base_url is not the base URL of the API", []string{"404 Not Found", "TUNNEL_BASE_URL", "before /backends/failover"}, 1},
		"wrong path in HTML": {html(404), failed, "base_url is not the base URL of the API", []string{"404 Not Found", "text/html"}, 1},
		"a web page":         {html(200), failed, "base_url is not the base URL of the API", []string{"not a JSON object"}, 2},
		"a gateway's page":   {html(403), failed, "Could not reach the API at base_url", []string{"403 Forbidden", "text/html"}, 1},
		"another API":        {jsonAnswer(200, `{}`), failed, "base_url is not the base URL of the API", []string{"no field backends"}, 2},
		"out of order":       {jsonAnswer(503, `{"msg":"down"}`), 0, "", nil, 2},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://login.example.com/", http.StatusFound)
		}, failed, "Could not reach the API at base_url", []string{"another origin"}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				requests.Add(1)
				test.service(w, r)
			}))
			t.Cleanup(server.Close)
			found := acctest.NewProtocol(t).TryConfigure(arguments{"base_url": text(server.URL), "api_key": text("key-of-the-test")})
			if requests.Load() != test.requests {
				t.Errorf("%d requests, want %d", requests.Load(), test.requests)
			}
			if test.severity == 0 {
				acctest.ExpectNone(t, found)
				return
			}
			if len(found) != 1 || found[0].Severity != test.severity || found[0].Summary != test.summary {
				t.Fatalf("got %+v, want one %s %q", found, test.severity, test.summary)
			}
			// A service may not have this list for every account, so a response can be
			// right and the list missing.
			proposes := strings.Contains(found[0].Detail, "skip_credentials_validation = true")
			if proposes == (test.summary == "Invalid API key" || name == "redirect") {
				t.Errorf("skip_credentials_validation is proposed: %t, in %q", proposes, found[0].Detail)
			}
			for _, want := range test.says {
				if !strings.Contains(found[0].Detail, want) {
					t.Errorf("%q is not in %q", want, found[0].Detail)
				}
			}
			skipped := acctest.NewProtocol(t).TryConfigure(arguments{
				"base_url": text(server.URL), "api_key": text("key-of-the-test"), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true),
			})
			acctest.ExpectNone(t, skipped)
			if requests.Load() != test.requests {
				t.Error("the skipped check was made")
			}
		})
	}
}

func TestConfigure_unreachable(t *testing.T) {
	t.Parallel()
	secure := httptest.NewTLSServer(jsonAnswer(200, `{"backends":[]}`))
	t.Cleanup(secure.Close)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(silent.Close)
	closing := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	t.Cleanup(closing.Close)
	for name, test := range map[string]struct {
		url, says string
		proposes  bool // skip_credentials_validation
	}{
		"connection refused": {"http://127.0.0.1:1", "connection refused", false},
		"certificate":        {secure.URL, "If the service has a certificate of a private CA, set ca_certificate", false},
		"https to http port": {strings.Replace(silent.URL, "http:", "https:", 1), "base_url begins with https://, but the server does not use TLS on this port", false},
		"http to a TLS port": {closing.URL, "https:// if the service uses TLS", false},
		"unknown host":       {"https://tunnel.test.invalid", "no such host", false},
		"no answer":          {silent.URL, "no response within 10s", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := acctest.NewProtocol(t).TryConfigure(arguments{"base_url": text(test.url), "api_key": text("test")})
			if len(found) != 1 || found[0].Summary != "Could not reach the API at base_url" || !strings.Contains(found[0].Detail, test.says) {
				t.Errorf("got %+v", found)
			}
			if detail := found[0].Detail; strings.Contains(detail, "skip_credentials_validation") != test.proposes {
				t.Errorf("expected a proposal to skip the check: %t; found %q", test.proposes, detail)
			}
		})
	}
}

// A response that breaks off comes from a server that can be reached.
func TestConfigure_incompleteAnswer(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"body breaks off": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"backends": [`)
		},
		"JSON breaks off": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"backends": [`) },
	} {
		server := httptest.NewServer(answer)
		t.Cleanup(server.Close)
		found := acctest.NewProtocol(t).TryConfigure(arguments{"base_url": text(server.URL), "api_key": text("test")})
		if len(found) != 1 || found[0].Summary != "Could not validate base_url and api_key" || !strings.Contains(found[0].Detail, "the response is incomplete") {
			t.Errorf("%s: got %+v", name, found)
		}
	}
	deflated := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "deflate")
		_, _ = io.WriteString(w, "not JSON")
	}))
	t.Cleanup(deflated.Close)
	found := acctest.NewProtocol(t).TryConfigure(arguments{"base_url": text(deflated.URL), "api_key": text("test")})
	if len(found) != 1 || !strings.Contains(found[0].Detail, `Content-Encoding "deflate"`) {
		t.Errorf("deflate: got %+v", found)
	}
}

// A value that was copied with too much gets an error that says so.
func TestConfigure_copiedWithTooMuch(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ url, key, attribute, says string }{
		"space before the URL":   {" https://api.example.com", "k", "base_url", "must not begin or end with white space"},
		"newline after the URL":  {"https://api.example.com\n", "k", "base_url", "must not begin or end with white space"},
		"URL in quotation marks": {`"https://api.example.com"`, "k", "base_url", "must not contain quotation marks"},
		"no scheme":              {"api.example.com", "k", "base_url", "must begin with https://, such as https://api.example.com; found no scheme"},
		"host and port":          {"localhost:8480", "k", "base_url", "found no scheme"},
		"address and port":       {"127.0.0.1:8480", "k", "base_url", "found no scheme"},
		"Bearer before the key":  {"https://api.example.com", "Bearer key-of-the-test", "api_key", `The API key in api_key begins with "Bearer"`},
		"bearer before the key":  {"https://api.example.com", "bearer key-of-the-test", "api_key", `The API key in api_key begins with "Bearer"`},
	} {
		found := acctest.NewProtocol(t).TryConfigure(arguments{"base_url": text(test.url), "api_key": text(test.key)})
		if len(found) != 1 || !found[0].Attribute.Equal(acctest.At(test.attribute)) || !strings.Contains(found[0].Detail, test.says) || strings.Contains(found[0].Detail, "of-the-test") {
			t.Errorf("%s: got %+v", name, found)
		}
	}
}

// Without any configuration, everything that needs the service reports what is
// missing, and the rest works.
func TestConfigure_nothingSet(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	acctest.ExpectNone(t, p.TryConfigure(nil))
	resp, err := p.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{
		Name: "ssh_fingerprint", Arguments: []*tfprotov6.DynamicValue{p.Dynamic(text(testcert.PublicKey(t, "me")))},
	})
	if err != nil || resp.Error != nil {
		t.Errorf("a function: %v, %+v", err, resp)
	}
	_, found := p.TryDataSource("tunnel_group_backend", arguments{"id": text("bkdtg_1")})
	if len(found) != 1 || found[0].Summary != "Missing provider configuration" || !strings.Contains(found[0].Detail, "TUNNEL_BASE_URL") || !strings.Contains(found[0].Detail, "TUNNEL_API_KEY") {
		t.Errorf("a data source: %+v", found)
	}
}

// A plan that only creates objects succeeds without any configuration, and says
// once that its apply needs it. A read still fails after that.
func TestConfigure_nothingSetWarnsInThePlan(t *testing.T) {
	t.Parallel()
	const summary = "Missing provider configuration"
	p := acctest.NewProtocol(t)
	acctest.ExpectNone(t, p.TryConfigure(nil))
	of := p.Type("tunnel_group_backend")
	config := acctest.Object(of, arguments{"labels": labels(map[string]string{"app": "web"})})
	if found := p.Plan("tunnel_group_backend", tftypes.NewValue(of, nil), config).Diagnostics; len(found) != 1 || found[0].Severity != tfprotov6.DiagnosticSeverityWarning ||
		found[0].Summary != summary || !strings.Contains(found[0].Detail, "its apply does. Neither base_url nor api_key is set") {
		t.Errorf("the first plan: %+v", found)
	}
	acctest.ExpectNone(t, p.Plan("tunnel_group_backend", tftypes.NewValue(of, nil), config).Diagnostics)
	if found := importErrors(t, p, "tunnel_group_backend", "bkdtg_1"); len(found) != 1 || found[0].Severity != tfprotov6.DiagnosticSeverityError || found[0].Summary != summary {
		t.Errorf("a read after the plan: %+v", found)
	}
	acctest.ExpectNone(t, p.TryConfigure(arguments{"base_url": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}))
	acctest.ExpectNone(t, p.Plan("tunnel_group_backend", tftypes.NewValue(of, nil), config).Diagnostics)
}

// The error is reported once, at plan time, and with an empty state.
func TestAccConfigure_wrongKeyIsOneErrorAtPlan(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	config := strings.Replace(w.Config(backend+"\n"+strings.Replace(backend, "test", "other", 1)+"\n"), w.AdminKey, "no-such-key", 1)
	tf := w.Terraform(t, "")
	tf.Write(t, "main.tf", "terraform {\n  required_providers {\n    tunnel = { source = \"tunnel-service/tunnel\" }\n  }\n}\n"+config)
	out, err := tf.TryPlan(t)
	if err == nil || strings.Count(out, "Error: ") != 1 || !strings.Contains(out, "Error: Invalid API key") {
		t.Errorf("error %v:\n%s", err, acctest.Summary(out))
	}
	if out := tf.Run(t, "validate", "-no-color"); !strings.Contains(out, "Success") {
		t.Errorf("validate needs the service:\n%s", acctest.Summary(out))
	}
}

// The check takes one request for each plan and one for each apply of a saved
// plan.
func TestAccConfigure_oneRequestARun(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	tf := w.Terraform(t, backend)
	w.ResetStats()
	tf.Plan(t, tfexec.Out("saved.plan"))
	if stats := w.Stats(); stats.Total != 1 {
		t.Errorf("a plan took %v", stats.Requests)
	}
	tf.Apply(t, tfexec.DirOrPlan("saved.plan"))
	if stats := w.Stats(); stats.Total != 3 {
		t.Errorf("with the apply it took %v", stats.Requests)
	}
}
