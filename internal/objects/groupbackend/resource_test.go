package groupbackend_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const address = "tunnel_group_backend.test"

// config returns a tunnel group backend with labels as HCL and additional
// arguments.
func config(labels string, more ...string) string {
	return acctest.Resource(address, append(more, "labels = "+labels)...)
}

func TestAccGroupBackend_tunnelsUnknownIfLabelsChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t,
		resource.TestStep{
			Config: w.Config(config(`{ a = "b" }`)),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("tunnels"), knownvalue.ListSizeExact(0)),
			},
		},
		resource.TestStep{
			Config: w.Config(config(`{ a = "b" }`, `description = "new"`)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(address, tfjsonpath.New("tunnels"), knownvalue.ListSizeExact(0)),
			}},
		},
		resource.TestStep{
			Config: w.Config(config(`{ a = "c" }`, `description = "new"`)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectUnknownValue(address, tfjsonpath.New("tunnels")),
			}},
		},
	)
}

// TestAccGroupBackend_clearedLabelsReplace checks that clearing the labels
// replaces the backend, because a PATCH with {} does not change them.
func TestAccGroupBackend_clearedLabelsReplace(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	is := func(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
		return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
	}
	w.Run(t,
		resource.TestStep{Config: w.Config(config(`{}`))},
		resource.TestStep{Config: w.Config(config(`{ a = "b" }`)), ConfigPlanChecks: is(plancheck.ResourceActionUpdate)},
		resource.TestStep{Config: w.Config(config(`{}`)), ConfigPlanChecks: is(plancheck.ResourceActionReplace)},
		resource.TestStep{Config: w.Config(config(`{}`, `description = "none"`)), ConfigPlanChecks: is(plancheck.ResourceActionUpdate)},
	)
}

func TestAccGroupBackend_invalidLabels(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for name, test := range map[string]struct{ labels, want string }{
		"equals sign in key":   {`{ "a=b" = "c" }`, `equals sign`},
		"equals sign in value": {`{ a = "b=c" }`, `equals sign`},
		"empty key":            {`{ "" = "c" }`, `must have a key that is not empty`},
		"null value":           {`{ a = "b", c = null }`, `labels\["c"\] must not be null`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Run(t, resource.TestStep{Config: w.Config(config(test.labels)), PlanOnly: true, ExpectError: regexp.MustCompile(test.want)})
		})
	}
}
