package routemodule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// module is a module of a new route.
type module struct {
	suffix, edgeID, routeID string
}

func newModule(w *acctest.Env, suffix string) module {
	edge := w.CreateHTTPSEdge()
	return module{suffix, edge, w.CreateHTTPSEdgeRoute(edge)}
}

func (m module) kind() string     { return "tunnel_https_edge_route_" + m.suffix }
func (m module) address() string  { return m.kind() + ".test" }
func (m module) parent() string   { return "/edges/https/" + m.edgeID + "/routes/" + m.routeID }
func (m module) path() string     { return m.parent() + "/" + m.suffix }
func (m module) importID() string { return m.edgeID + "/" + m.routeID }

func (m module) config(arguments ...string) string {
	return fmt.Sprintf("resource %q \"test\" {\n  edge_id  = %q\n  route_id = %q\n  %s\n}\n",
		m.kind(), m.edgeID, m.routeID, strings.Join(arguments, "\n  "))
}

func TestAccRouteModule_bothOfARouteAreIndependent(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	converter := newModule(w, "websocket_tcp_converter")
	compression := converter
	compression.suffix = "compression"
	w.Run(t,
		resource.TestStep{Config: w.Config(converter.config("enabled = false") + compression.config()), Check: resource.ComposeTestCheckFunc(
			w.HoldsJSON(converter.path(), `{"enabled": false}`), w.HoldsJSON(compression.path(), `{"enabled": true}`))},
		resource.TestStep{Config: w.Config(compression.config()), Check: func(*terraform.State) error {
			if w.Exists(converter.path()) || !w.Exists(compression.path()) {
				return fmt.Errorf("converter %v, compression %v", w.Exists(converter.path()), w.Exists(compression.path()))
			}
			return nil
		}},
	)
}

func TestAccRouteModule_otherRouteReplaces(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	here := newModule(w, "compression")
	there := here
	there.routeID = w.Create("/edges/https/"+here.edgeID+"/routes", `{"match_type": "path_prefix", "match": "/there"}`)
	w.Run(t,
		resource.TestStep{Config: w.Config(here.config())},
		resource.TestStep{
			Config: w.Config(there.config()),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(here.address(), plancheck.ResourceActionReplace)}},
			Check: func(*terraform.State) error {
				if w.Exists(here.path()) || !w.Exists(there.path()) {
					return fmt.Errorf("here %v, there %v", w.Exists(here.path()), w.Exists(there.path()))
				}
				return nil
			},
		},
	)
}

func TestAccRouteModule_malformedImportID(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	m := newModule(w, "compression")
	for _, id := range []string{m.routeID, m.importID() + "/x", "/" + m.routeID, m.edgeID + "/", " / "} {
		w.Run(t, resource.TestStep{
			Config: w.Config(m.config()), ResourceName: m.address(), ImportState: true, ImportStateId: id,
			ExpectError: acctest.InError("Invalid import ID", "edge_id/route_id, such as edghts_2abc/edghtsrt_2abc"),
		})
	}
	if total := w.Sent(); total != 0 {
		t.Errorf("%d requests were sent", total)
	}
}
