package provider_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestSecrets_repeatedInAnError creates objects with each secret argument at a service
// whose errors repeat the request.
func TestSecrets_repeatedInAnError(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	m := newMatrix(t, w)
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.ServeHTTP(rw, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		rw.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(rw).Encode(map[string]any{"error_code": "ERR_TUNNEL_400", "msg": "bad body " + string(body)})
	}))
	t.Cleanup(front.Close)
	w.URL = front.URL
	p := w.Protocol(t)
	for _, r := range m.rows {
		if r.attribute == nil || !r.kind.IsSecret(r.attribute.Name) {
			continue
		}
		secret := r.first()[r.attribute.Name].(string)
		of := p.Type(r.kind.Type)
		_, diagnostics := p.Apply(r.kind.Type, tftypes.NewValue(of, nil), acctest.FromJSON(of, r.first()))
		if len(errorsOf(diagnostics)) == 0 {
			t.Errorf("%s: the refusal is no error", r.address())
		}
		for _, d := range diagnostics {
			for line := range strings.Lines(secret) {
				if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-----") && strings.Contains(d.Summary+d.Detail, line) {
					t.Errorf("%s: an error repeats the secret: %s: %s", r.address(), d.Summary, d.Detail)
				}
			}
		}
	}
}
