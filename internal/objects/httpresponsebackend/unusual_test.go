package httpresponsebackend_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestHTTPResponseBackend_mistakes checks the warnings about what a response cannot
// have.
func TestHTTPResponseBackend_mistakes(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	const kind = "tunnel_http_response_backend"
	headers := func(name string) map[string]tftypes.Value {
		return map[string]tftypes.Value{"headers": tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{name: acctest.Text("5")})}
	}
	status := func(code int64, body string) map[string]tftypes.Value {
		return map[string]tftypes.Value{"status_code": acctest.Number(code), "body": acctest.Text(body)}
	}
	for name, test := range map[string]struct {
		arguments map[string]tftypes.Value
		at, want  string // "" for no warning
	}{
		"length":           {headers("Content-Length"), "headers", `is the header "Content-Length", which follows from the response. Remove it.`},
		"encoding":         {headers("transfer-encoding"), "headers", "which follows from the response"},
		"expectation":      {headers("Expect"), "headers", "which only requests have"},
		"another header":   {headers("Content-Type"), "", ""},
		"body of a 204":    {status(204, "gone"), "body", "A response with the status code 204 has no body"},
		"no body of a 204": {status(204, ""), "", ""},
		"body of a 404":    {status(404, "gone"), "", ""},
		"name of a file":   {status(503, "./pages/down.html"), "body", `is the name of a file: "./pages/down.html". To send the content of the file, use file(...).`},
		"text with a dot":  {status(503, "See status.example.com or down.html"), "", ""},
	} {
		found := p.PlanNew(kind, test.arguments).Diagnostics
		if test.want == "" {
			acctest.ExpectNone(t, found)
			continue
		}
		t.Log(name)
		acctest.Expect(t, found, tfprotov6.DiagnosticSeverityWarning, tftypes.NewAttributePath().WithAttributeName(test.at), test.want)
	}
}
