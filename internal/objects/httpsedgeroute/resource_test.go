package httpsedgeroute_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func config(edge, matchType, match string, arguments ...string) string {
	return acctest.Resource("tunnel_https_edge_route.test", append(arguments, fmt.Sprintf("edge_id = %q", edge), fmt.Sprintf("match_type = %q", matchType), fmt.Sprintf("match = %q", match))...)
}

func TestAccHTTPSEdgeRoute_lifecycle(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		edge := w.CreateHTTPSEdge()
		acctest.Lifecycle{
			Resource:  "tunnel_https_edge_route.test",
			Parents:   map[string]string{"edge_id": edge},
			Full:      config(edge, "path_prefix", "/api/", `description = "d"`, `metadata = "m"`),
			IsFull:    map[string]any{"match_type": "path_prefix", "match": "/api/", "description": "d", "metadata": "m"},
			Changed:   config(edge, "exact_path", "/live", `description = "other"`, `metadata = "m"`),
			IsChanged: map[string]any{"match_type": "exact_path", "match": "/live", "description": "other", "metadata": "m"},
			Minimal:   config(edge, "exact_path", "/live"),
			IsMinimal: map[string]any{"match_type": "exact_path", "match": "/live", "description": "", "metadata": ""},
			Drift:     `{"match": "/by/hand", "metadata": "by hand"}`,
		}.Run(t, w)
	})
}

func TestAccHTTPSEdgeRoute_sameMatchAlreadyExists(t *testing.T) {
	acctest.ForEachServer(t, func(t *testing.T, w *acctest.Env) {
		edge := w.CreateHTTPSEdge()
		id := w.Create("/edges/https/"+edge+"/routes", `{"match_type": "exact_path", "match": "/live"}`)
		w.Run(t, resource.TestStep{
			Config:      w.Config(config(edge, "exact_path", "/live")),
			ExpectError: acctest.InError("already exists", "terraform import tunnel_https_edge_route.NAME "+edge+"/"+id),
		})
	})
}

// TestAccHTTPSEdgeRoute_unknownOutcome loses the response to the creation. The
// provider finds the route in the edge.
func TestAccHTTPSEdgeRoute_unknownOutcome(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	edge := w.CreateHTTPSEdge()
	w.SetFaults(testserver.Fault{Method: http.MethodPost, Kind: testserver.FaultResetAfter, Count: 1})
	w.Run(t, resource.TestStep{
		Config:      w.Config(config(edge, "path_prefix", "/")),
		ExpectError: acctest.InError("Could not determine whether the HTTPS edge route was created", "terraform import tunnel_https_edge_route.NAME "+edge+"/edghtsrt_"),
	})
}

func TestAccHTTPSEdgeRoute_matchIsChecked(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	w.Run(t, resource.TestStep{Config: w.Config(config("edghts_1", "exact_path", "live")), PlanOnly: true, ExpectError: acctest.InError("must begin with a slash")})
	out := w.Terraform(t, config("edghts_1", "regex", "/live")).Plan(t)
	if !acctest.InError(`Warning: Unusual value`, `match_type is "regex"; expected exact_path or path_prefix. The service may reject it.`).MatchString(out) {
		t.Errorf("expected a warning:\n%s", acctest.Summary(out))
	}
}
