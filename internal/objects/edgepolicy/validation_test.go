package edgepolicy_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestEdgePolicy_refusedField checks that an error of the service about a nested field is
// at the line of the rules, and that only a refused IP policy gets advice about IP
// policies: a service may refuse an expression, too.
func TestEdgePolicy_refusedField(t *testing.T) {
	t.Parallel()
	for field, advice := range map[string]bool{"inbound[0].expressions[0]": false, "inbound[0].actions[0].config.ip_policies[0]": true} {
		w := acctest.Start(t)
		edge := w.Create("/edges/tls", "{}")
		front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPut {
				w.ServeHTTP(rw, r)
				return
			}
			rw.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(rw).Encode(map[string]any{"error_code": "ERR_TUNNEL_400", "msg": "no", "details": map[string]string{"field": field}})
		}))
		t.Cleanup(front.Close)
		w.URL = front.URL
		p := w.Protocol(t)
		of := p.Type(kind)
		_, found := p.Apply(kind, tftypes.NewValue(of, nil), acctest.FromJSON(of, map[string]any{
			"edge_id": edge, "inbound": []any{map[string]any{
				"expressions": []any{"a[?0] == 1"}, "actions": []any{map[string]any{"type": "restrict-ips", "config": `{"enforce":true,"ip_policies":["ipp_1"]}`}},
			}},
		}))
		if len(found) != 1 || !found[0].Attribute.Equal(acctest.At("inbound")) || !strings.Contains(found[0].Detail, field) || strings.Contains(found[0].Detail, "data source tunnel_ip_policies") != advice {
			t.Errorf("%s: %v", field, found)
		}
	}
}
