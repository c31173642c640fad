package edge_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func config(protocol string, arguments ...string) string {
	return acctest.Resource("tunnel_"+protocol+"_edge.test", arguments...)
}

// TestAccEdge_ownsNoModule checks that the edge and its modules are managed
// independently: changing all of them in one apply, and changing one out of
// band, causes no drift in the others.
func TestAccEdge_ownsNoModule(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	stack := func(n int) string {
		return w.Config(fmt.Sprintf(`
resource "tunnel_tls_edge" "test" {
  description = "edge %[1]d"
  hostports   = ["a%[1]d.example.com:443"]
}

resource "tunnel_group_backend" "test" {
  labels = { edge = tunnel_tls_edge.test.id }
}

resource "tunnel_tls_edge_backend" "test" {
  edge_id    = tunnel_tls_edge.test.id
  backend_id = tunnel_group_backend.test.id
  enabled    = %[2]t
}

resource "tunnel_tls_edge_policy" "test" {
  edge_id = tunnel_tls_edge.test.id
  inbound = [{ name = "n%[1]d", expressions = [], actions = [{ type = "deny" }] }]
}
`, n, n%2 == 0))
	}
	only := func(address string) resource.ConfigPlanChecks {
		checks := []plancheck.PlanCheck{}
		for _, each := range []string{"tunnel_tls_edge.test", "tunnel_tls_edge_backend.test", "tunnel_tls_edge_policy.test"} {
			action := plancheck.ResourceActionNoop
			if each == address {
				action = plancheck.ResourceActionUpdate
			}
			checks = append(checks, plancheck.ExpectResourceAction(each, action))
		}
		return resource.ConfigPlanChecks{PreApply: checks}
	}
	edit := func(field string) func() {
		return func() {
			for _, edge := range w.List("/edges/tls") {
				if edge["description"] == "edge 2" {
					w.Edit(fmt.Sprintf("/edges/tls/%s", edge["id"]), field)
				}
			}
		}
	}
	w.Run(t,
		resource.TestStep{Config: stack(1)},
		resource.TestStep{Config: stack(2)},
		resource.TestStep{PreConfig: edit(`{"policy":{"enabled":false}}`), Config: stack(2), ConfigPlanChecks: only("tunnel_tls_edge_policy.test")},
		resource.TestStep{PreConfig: edit(`{"hostports":["hand.example.com:443"]}`), Config: stack(2), ConfigPlanChecks: only("tunnel_tls_edge.test")},
	)
}

func TestAccEdge_hostportsAreChecked(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	for name, hostport := range map[string]string{"no port": "www.example.com", "port 0": "www.example.com:0", "no host": ":443", "scheme": "https://www.example.com:443"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Run(t, resource.TestStep{
				Config: w.Config(config("tls", fmt.Sprintf("hostports = [%q]", hostport))), PlanOnly: true,
				ExpectError: acctest.InError("must have the form host:port, such as www.example.com:443"),
			})
		})
	}
}
