package httpresponsebackend_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const address = "tunnel_http_response_backend.test"

func TestAccHTTPResponseBackend_lifecycle(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	acctest.Lifecycle{
		Resource: address,
		Full:     acctest.Resource(address, `body = "Back soon"`, `headers = { Content-Type = "text/plain" }`, `status_code = 503`, `description = "d"`, `metadata = "m"`),
		IsFull: map[string]any{
			"body": "Back soon", "headers": map[string]string{"content-type": "text/plain"}, "status_code": 503.0, "description": "d", "metadata": "m",
		},
		Changed:   acctest.Resource(address, `body = "Gone"`, `headers = { X-A = "b", content-type = "text/html" }`, `status_code = 410`),
		IsChanged: map[string]any{"body": "Gone", "headers": map[string]string{"x-a": "b", "content-type": "text/html"}, "status_code": 410.0},
		Minimal:   acctest.Resource(address),
		IsMinimal: map[string]any{"body": "", "headers": nil, "status_code": 200.0},
		Drift:     `{"body": "by hand", "headers": {"x-by": "hand"}, "status_code": 404}`,
	}.Run(t, w)
}

func TestAccHTTPResponseBackend_headerNamesCompareWithoutCase(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t,
		resource.TestStep{Config: w.Config(acctest.Resource(address, `headers = { Content-Type = "text/plain" }`))},
		resource.TestStep{
			Config:           w.Config(acctest.Resource(address, `headers = { CONTENT-TYPE = "text/plain" }`)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop)}},
		},
		resource.TestStep{
			Config:           w.Config(acctest.Resource(address, `headers = {}`)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}},
		},
	)
}

func TestAccHTTPResponseBackend_invalidArguments(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for name, test := range map[string]struct{ argument, want string }{
		"status too high":       {`status_code = 600`, "must be from 100 to 599"},
		"no header name":        {`headers = { "a b" = "c" }`, "must be an HTTP header name"},
		"the same header twice": {`headers = { A = "b", a = "c" }`, "the same header"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Run(t, resource.TestStep{Config: w.Config(acctest.Resource(address, test.argument)), PlanOnly: true, ExpectError: acctest.InError(test.want)})
		})
	}
}

// TestAccHTTPResponseBackend_largePage checks that HTML is sent without
// escaping the characters <, > and &, which would make it up to six times as
// long and exceed the size limit.
func TestAccHTTPResponseBackend_largePage(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t, resource.TestStep{Config: w.Config(acctest.Resource(address, `body = replace(format("%0100000d", 0), "0", "<b>&")`))})
}
