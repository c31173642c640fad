package httpresponsebackend_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const address = "tunnel_http_response_backend.test"

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
