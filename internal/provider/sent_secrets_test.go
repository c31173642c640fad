package provider_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestSecrets_sentAndNotRepeated creates and updates objects with each secret argument.
// The service gets the secret, and no error repeats it, or shows its line, if the errors
// of the service repeat the request and name the field.
func TestSecrets_sentAndNotRepeated(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	m := newMatrix(t, w)
	refuses, sent, field := false, "", ""
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodPost || r.Method == http.MethodPatch {
			sent = strings.ReplaceAll(string(body), `\n`, "\n")
		}
		if !refuses {
			r.Body = io.NopCloser(bytes.NewReader(body))
			w.ServeHTTP(rw, r)
			return
		}
		rw.WriteHeader(http.StatusBadRequest)
		_ = json.NewEncoder(rw).Encode(map[string]any{"error_code": "ERR_TUNNEL_400", "msg": "bad body " + string(body), "details": map[string]any{"field": field}})
	}))
	t.Cleanup(front.Close)
	w.URL = front.URL
	p, tried := w.Protocol(t), map[string]bool{}
	for _, r := range m.rows {
		if r.attribute == nil || !r.kind.IsSecret(r.attribute.Name) {
			continue
		}
		// apply returns the new state.
		apply := func(what string, prior tftypes.Value, arguments jsonArguments) tftypes.Value {
			refuses, sent, tried[what] = true, "", true
			field = strings.TrimSuffix(r.attribute.Name, "_wo")
			config := acctest.FromJSON(prior.Type(), arguments)
			_, diagnostics := p.Apply(r.kind.Type, prior, config)
			if len(errorsOf(diagnostics)) == 0 {
				t.Errorf("%s: the refusal to %s it is no error", r.address(), what)
			}
			for _, d := range diagnostics {
				if d.Attribute.String() != "" {
					t.Errorf("%s: Terraform prints the line of %s: %s", r.address(), d.Attribute, d.Detail)
				}
			}
			for line := range strings.Lines(arguments[r.attribute.Name].(string)) {
				if line = strings.TrimSpace(line); strings.HasPrefix(line, "-----") {
					continue
				}
				if !strings.Contains(sent, line) {
					t.Errorf("%s: the request to %s it does not contain the secret", r.address(), what)
				}
				for _, d := range diagnostics {
					if strings.Contains(d.Summary+d.Detail, line) {
						t.Errorf("%s: an error repeats the secret: %s: %s", r.address(), d.Summary, d.Detail)
					}
				}
			}
			refuses = false
			state, diagnostics := p.Apply(r.kind.Type, prior, config)
			acctest.ExpectNone(t, errorsOf(diagnostics))
			return state
		}
		state := apply("create", tftypes.NewValue(p.Type(r.kind.Type), nil), r.first())
		if r.updated() == "update" {
			apply("update", state, r.second())
		}
	}
	if !tried["create"] || !tried["update"] {
		t.Errorf("no secret was sent by each operation: %v", tried)
	}
}
