package edgebackend_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestEdgeBackend_listedAfterItIsSet checks that a plural data source returns a backend
// that the same apply has set.
func TestEdgeBackend_listedAfterItIsSet(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	const kind = "tunnel_tls_edge_backend"
	edge := w.Create("/edges/tls", "{}")
	for want := range 2 {
		in := map[string]tftypes.Value{"edge_id": acctest.Text(edge)}
		if found := p.Elements(p.DataSource(kind+"s", in), "tls_edge_backends"); len(found) != want {
			t.Errorf("found %v, want %d", found, want)
		}
		if want == 0 {
			_, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), acctest.FromJSON(p.Type(kind), map[string]any{"edge_id": edge, "backend_id": w.Create("/backends/http_response", "{}")}))
			acctest.ExpectNone(t, found)
		}
	}
}
