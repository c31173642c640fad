package failoverbackend_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const address = "tunnel_failover_backend.test"

// config returns a failover backend with the given children and arguments.
func config(children []string, more ...string) string {
	quoted := make([]string, len(children))
	for i, child := range children {
		quoted[i] = fmt.Sprintf("%q", child)
	}
	return acctest.Resource(address, append(more, "backends = ["+strings.Join(quoted, ", ")+"]")...)
}

func TestAccFailoverBackend_withoutBackends(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	a := w.CreateOtherBackend()
	w.Run(t,
		resource.TestStep{Config: w.Config(config(nil))},
		resource.TestStep{Config: w.Config(config([]string{a}))},
		resource.TestStep{Config: w.Config(config(nil)), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
		}}},
	)
}

func TestAccFailoverBackend_descriptionAloneKeepsBackends(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	a, b := w.CreateOtherBackend(), w.CreateOtherBackend()
	var id string
	w.Run(t,
		resource.TestStep{Config: w.Config(config([]string{a, b})), Check: acctest.ID(address, &id)},
		resource.TestStep{Config: w.Config(config([]string{a, b}, `description = "new"`)), Check: w.HoldsAt(
			func() string { return "/backends/failover/" + id }, map[string]any{"backends": []string{a, b}, "description": "new"})},
	)
}

func TestAccFailoverBackend_orderIsAChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	a, b := w.CreateOtherBackend(), w.CreateOtherBackend()
	w.Run(t,
		resource.TestStep{Config: w.Config(config([]string{a, b}))},
		resource.TestStep{
			Config: w.Config(config([]string{b, a})),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
			}},
		},
	)
}

func TestFailoverBackend_containsItself(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	const kind = "tunnel_failover_backend"
	child := w.CreateOtherBackend()
	id := w.Create("/backends/failover", fmt.Sprintf(`{"backends": [%q]}`, child))
	state, _ := p.Import(kind, id, nil)
	plan := func(children ...any) []*tfprotov6.Diagnostic {
		return p.Plan(kind, state, acctest.FromJSON(state.Type(), map[string]any{"backends": children})).Diagnostics
	}
	acctest.ExpectNone(t, plan(child, w.CreateOtherBackend()))
	acctest.Expect(t, plan(child, id), tfprotov6.DiagnosticSeverityError, acctest.At("backends"), "backends[1] must be the ID of another backend", id, "Remove it")
}

func TestAccFailoverBackend_invalidConfig(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for name, test := range map[string]struct {
		config, want string
	}{
		"null":  {`resource "tunnel_failover_backend" "test" { backends = ["a", null] }`, `backends\[1\] must not be null`},
		"empty": {config([]string{""}), `backends\[0\] must be an ID; found an empty string`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Run(t, resource.TestStep{Config: w.Config(test.config), PlanOnly: true, ExpectError: regexp.MustCompile(test.want)})
		})
	}
	t.Run("twice warns", func(t *testing.T) {
		t.Parallel()
		a := w.CreateOtherBackend()
		if out := w.Terraform(t, config([]string{a, a})).Plan(t); !acctest.InError("Warning:", "backends[1] is the same as backends[0]").MatchString(out) {
			t.Errorf("the plan does not warn:\n%s", acctest.Summary(out))
		}
	})
	t.Run("unknown", func(t *testing.T) {
		t.Parallel()
		w.Run(t, resource.TestStep{
			Config:      w.Config(config([]string{"bkdhr_none"})),
			ExpectError: regexp.MustCompile(`(?s)Error creating failover backend.*backends = .*bkdhr_none`),
		})
	})
}
