package edgebackend_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

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
