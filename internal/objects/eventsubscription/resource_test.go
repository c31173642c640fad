package eventsubscription_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const address = "tunnel_event_subscription.test"

// TestAccEventSubscription_sourcesAreNoDrift checks that the subscription does
// not manage its sources.
func TestAccEventSubscription_sourcesAreNoDrift(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	with := func(description string) string {
		return w.Config(acctest.Resource(address, fmt.Sprintf("description = %q", description)) +
			"resource \"tunnel_event_source\" \"test\" {\n  subscription_id = tunnel_event_subscription.test.id\n  type = \"ip_policy_created.v0\"\n}\n")
	}
	w.Run(t,
		resource.TestStep{Config: with("a")},
		resource.TestStep{Config: with("b"), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
			plancheck.ExpectResourceAction("tunnel_event_source.test", plancheck.ResourceActionNoop),
		}}},
	)
}
