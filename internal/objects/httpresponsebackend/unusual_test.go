package httpresponsebackend_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestHTTPResponseBackend_mistakes plans what a response cannot have.
func TestHTTPResponseBackend_mistakes(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	const kind = "tunnel_http_response_backend"
	const isWarn, isError = tfprotov6.DiagnosticSeverityWarning, tfprotov6.DiagnosticSeverityError
	headers := func(names ...string) map[string]tftypes.Value {
		all := map[string]tftypes.Value{}
		for _, name := range names {
			all[name] = acctest.Text("5")
		}
		return map[string]tftypes.Value{"headers": tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, all)}
	}
	status := func(code int64, body string) map[string]tftypes.Value {
		return map[string]tftypes.Value{"status_code": acctest.Number(code), "body": acctest.Text(body)}
	}
	for name, test := range map[string]struct {
		arguments map[string]tftypes.Value
		severity  tfprotov6.DiagnosticSeverity // 0 for no diagnostic
		at, want  string
	}{
		"length":           {headers("Content-Length"), isWarn, "headers", `is the header "Content-Length", which follows from the response. Remove it.`},
		"expectation":      {headers("Expect"), isWarn, "headers", "which only requests have"},
		"the same header":  {headers("A", "a"), isError, "headers", "the same header"},
		"another header":   {headers("Content-Type"), 0, "", ""},
		"body of a 204":    {status(204, "gone"), isWarn, "body", "A response with the status code 204 has no body"},
		"no body of a 204": {status(204, ""), 0, "", ""},
		"body of a 404":    {status(404, "gone"), 0, "", ""},
		"name of a file":   {status(503, "./pages/down.html"), isWarn, "body", `is the name of a file: "./pages/down.html". To send the content of the file, use file(...).`},
	} {
		found := p.PlanNew(kind, test.arguments).Diagnostics
		if test.severity == 0 {
			acctest.ExpectNone(t, found)
			continue
		}
		t.Log(name)
		acctest.Expect(t, found, test.severity, tftypes.NewAttributePath().WithAttributeName(test.at), test.want)
	}
}

// TestHTTPResponseBackend_largePage checks that HTML is sent without escaping the
// characters <, > and &, which would make it up to six times as long and exceed the size
// limit.
func TestHTTPResponseBackend_largePage(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	const kind = "tunnel_http_response_backend"
	page := acctest.FromJSON(p.Type(kind), map[string]any{"body": strings.Repeat("<b>&", 100_000)})
	_, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), page)
	acctest.ExpectNone(t, found)
}
