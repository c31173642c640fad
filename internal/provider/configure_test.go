package provider_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
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
		"right":             {jsonAnswer(200, `{"backends":[],"uri":"u","next_page_uri":null}`), 0, "", nil, 1},
		"unknown key, text": {textAnswer(401, "unknown key\n"), failed, "Invalid API key", []string{"401 Unauthorized: unknown key", "TUNNEL_API_KEY"}, 1},
		"unknown key, page": {html(401), failed, "Could not reach the API at base_url", []string{"401 Unauthorized", "If base_url is correct, check api_key"}, 1},
		"unknown key":       {jsonAnswer(401, `{"error_code":"ERR_1","msg":"no such key"}`), failed, "Invalid API key", []string{"401 Unauthorized", "TUNNEL_API_KEY"}, 1},
		"forbidden":         {jsonAnswer(403, `{"msg":"not allowed"}`), warned, "Could not validate base_url and api_key", []string{"403 Forbidden", "base_url", "api_key"}, 1},
		"wrong path":        {jsonAnswer(404, `{"error_code":"ERR_1","msg":"no such path"}`), failed, "base_url is not the base URL of the API", []string{"404 Not Found", "TUNNEL_BASE_URL", "before /backends/failover"}, 1},
		"a web page":        {html(200), failed, "base_url is not the base URL of the API", []string{"not a JSON object"}, 2},
		"another API":       {jsonAnswer(200, `{}`), failed, "base_url is not the base URL of the API", []string{"no field backends"}, 2},
		"out of order":      {jsonAnswer(503, `{"msg":"down"}`), 0, "", nil, 2},
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
}

// TestConfigure_invalidAddressOrKey has values that are missing, or were copied with too
// much. No error shows the key.
func TestConfigure_invalidAddressOrKey(t *testing.T) {
	t.Parallel()
	const url, key = "https://api.example.com", "key-of-the-test"
	for name, test := range map[string]struct{ url, key, attribute, says string }{
		"no address":             {"", key, "base_url", "TUNNEL_BASE_URL"},
		"no key":                 {url, "", "api_key", "TUNNEL_API_KEY"},
		"malformed URL":          {"https://h:x", key, "base_url", "is not a valid URL"},
		"plain http":             {"http://example.com", key, "base_url", "allow_plain_http"},
		"newline after the URL":  {url + "\n", key, "base_url", "must not begin or end with white space"},
		"URL in quotation marks": {`"` + url + `"`, key, "base_url", "must not contain quotation marks"},
		"host and port":          {"localhost:8480", key, "base_url", "must begin with https://, such as https://api.example.com; found no scheme"},
		"newline after the key":  {url, key + "\n", "api_key", "newlines"},
		"expression as the key":  {url, "${{ secrets.KEY }}", "api_key", "which nothing has replaced by the key"},
		"Bearer before the key":  {url, "bearer " + key, "api_key", `The API key in api_key begins with "Bearer"`},
	} {
		given := arguments{}
		for argument, value := range map[string]string{"base_url": test.url, "api_key": test.key} {
			if value != "" {
				given[argument] = text(value)
			}
		}
		found := acctest.NewProtocol(t).TryConfigure(given)
		if acctest.Expect(t, found, tfprotov6.DiagnosticSeverityError, acctest.At(test.attribute), test.says); strings.Contains(found[0].Detail, key) {
			t.Errorf("%s: the key is in the error: %s", name, found[0].Detail)
		}
	}
}

// Each creation of an apply fails, and the first says why.
func TestConfigure_nothingSetIsExplainedOnce(t *testing.T) {
	t.Parallel()
	missing := crud.Provider{Missing: "Neither is set."}
	for _, want := range []string{"Neither is set.", "Another error says why."} {
		var diags diag.Diagnostics
		if missing.ClientFor(api.TLSEdges.Kind, &diags); len(diags) != 1 || diags[0].Detail() != want {
			t.Errorf("%v, want %s", diags, want)
		}
	}
}

// Only the variables of an HTTP proxy count.
func TestConfigure_allProxyIsNotUsed(t *testing.T) {
	t.Setenv("ALL_PROXY", "socks5://127.0.0.1:1")
	found := acctest.NewProtocol(t).TryConfigure(arguments{"base_url": text("http://127.0.0.1:1"), "api_key": text("test")})
	acctest.Expect(t, found, tfprotov6.DiagnosticSeverityError, acctest.At("base_url"), "ALL_PROXY is not used: set HTTPS_PROXY.")
}

// The variable of the environment is named without the argument before it.
func TestConfigure_keyInTheEnvironment(t *testing.T) {
	t.Setenv("TUNNEL_API_KEY", "$KEY")
	found := acctest.NewProtocol(t).TryConfigure(arguments{"base_url": text("http://127.0.0.1:1")})
	if len(found) != 1 || !strings.HasPrefix(found[0].Detail, "The API key in TUNNEL_API_KEY begins with $") {
		t.Errorf("%+v", found)
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
