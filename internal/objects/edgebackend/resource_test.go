package edgebackend_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func TestAccEdgeBackend_lifecycle(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	one, two := w.CreateOtherBackend(), w.CreateOtherBackend()
	for _, kind := range []string{"tunnel_tls_edge_backend", "tunnel_tcp_edge_backend", "tunnel_https_edge_route_backend"} {
		t.Run(kind, func(t *testing.T) {
			row := acctest.KindOf(t, kind)
			keys := row.Parents(t, w)
			config := func(keys map[string]string, backend, enabled string) string {
				block := fmt.Sprintf("resource %q \"test\" {\n  backend_id = %q\n  %s\n", kind, backend, enabled)
				for name, value := range keys {
					block += fmt.Sprintf("  %s = %q\n", name, value)
				}
				return block + "}\n"
			}
			is := func(backend string, enabled bool) map[string]any {
				return acctest.Members(fmt.Sprintf(`{"enabled": %t, "backend": {"id": %q, "uri": %q}}`, enabled, backend, w.URL+"/backends/http_response/"+backend))
			}
			acctest.Lifecycle{
				Resource: kind + ".test", Parents: keys,
				Full: config(keys, one, "enabled = false"), IsFull: is(one, false),
				Changed: config(keys, two, "enabled = true"), IsChanged: is(two, true),
				Minimal: config(keys, one, ""), IsMinimal: is(one, true),
				Drift: fmt.Sprintf(`{"enabled": false, "backend_id": %q}`, two),
			}.Run(t, w)
			existing := row.Parents(t, w)
			w.Put(row.At(existing), fmt.Sprintf(`{"enabled": false, "backend_id": %q}`, one))
			w.RefusesToOverwrite(t, kind+".test", config(existing, one, "enabled = false"), row.At(existing), row.ImportID(existing))
		})
	}
}

// TestAccEdgeBackend_listedAfterItIsSet checks that a plural data source
// returns a backend that the same apply has set.
func TestAccEdgeBackend_listedAfterItIsSet(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	edge, backend := w.CreateTLSEdge(), w.CreateOtherBackend()
	w.Run(t, resource.TestStep{
		Config: w.Config(fmt.Sprintf(`
data "tunnel_tls_edge_backends" "before" {
  edge_id = %[1]q
}

resource "tunnel_tls_edge_backend" "test" {
  edge_id    = %[1]q
  backend_id = %[2]q
  enabled    = length(data.tunnel_tls_edge_backends.before.tls_edge_backends) < 2
}

data "tunnel_tls_edge_backends" "after" {
  edge_id    = %[1]q
  depends_on = [tunnel_tls_edge_backend.test]
}
`, edge, backend)),
		Check: resource.TestCheckResourceAttr("data.tunnel_tls_edge_backends.after", "tls_edge_backends.#", "1"),
	})
}
