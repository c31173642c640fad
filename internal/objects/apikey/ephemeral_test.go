package apikey_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// run opens the ephemeral resource with arguments.
func run(t *testing.T, p *acctest.Protocol, arguments map[string]any) *tfprotov6.OpenEphemeralResourceResponse {
	t.Helper()
	of := p.Schema.EphemeralResourceSchemas[kind].ValueType()
	resp, err := p.OpenEphemeralResource(t.Context(), &tfprotov6.OpenEphemeralResourceRequest{
		TypeName: kind, Config: p.Dynamic(acctest.FromJSON(of, arguments)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func ends(t *testing.T, p *acctest.Protocol, opened *tfprotov6.OpenEphemeralResourceResponse) []*tfprotov6.Diagnostic {
	t.Helper()
	resp, err := p.CloseEphemeralResource(t.Context(), &tfprotov6.CloseEphemeralResourceRequest{TypeName: kind, Private: opened.Private})
	if err != nil {
		t.Fatal(err)
	}
	return resp.Diagnostics
}

// An API key for one run is one POST and one DELETE, or nothing.
func TestEphemeralAPIKey_openAndClose(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p, sent := w.Protocol(t), w.Sent()
	off := run(t, p, map[string]any{"enabled": false})
	acctest.ExpectNone(t, off.Diagnostics)
	acctest.ExpectNone(t, ends(t, p, off))
	if w.Sent() != sent {
		t.Errorf("%d requests were sent for a key that is not enabled", w.Sent()-sent)
	}
	bot := w.Create("/bot_users", `{"name": "ci"}`)
	opened := run(t, p, map[string]any{"enabled": true, "owner_id": bot, "description": "run 7"})
	acctest.ExpectNone(t, opened.Diagnostics)
	var result map[string]tftypes.Value
	if err := p.Value(p.Schema.EphemeralResourceSchemas[kind].ValueType(), opened.Result).As(&result); err != nil {
		t.Fatal(err)
	}
	keys := w.List("/api_keys")
	if len(keys) != 1 || keys[0]["description"] != "run 7" || keys[0]["owner_id"] != bot || !result["id"].Equal(acctest.Text(keys[0]["id"].(string))) {
		t.Fatalf("opened %v, the service has %v", result, keys)
	}
	var token string
	if err := result["token"].As(&token); err != nil {
		t.Fatal(err)
	}
	acctest.ExpectNone(t, acctest.NewProtocol(t).TryConfigure(values{"base_url": acctest.Text(w.URL), "api_key": acctest.Text(token)}))
	acctest.ExpectNone(t, ends(t, p, opened))
	if left := w.List("/api_keys"); len(left) != 0 {
		t.Errorf("the service still has %v", left)
	}
	w.Age(time.Minute)
	acctest.ExpectNone(t, ends(t, p, opened)) // it is gone already
}

// A creation whose response is lost is not repeated, and the error names what to delete.
func TestEphemeralAPIKey_lostAnswer(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	w.SetRules(testserver.Rule{Behavior: "reset_after", Method: http.MethodPost})
	opened := run(t, p, map[string]any{"enabled": true, "description": "run 7"})
	id, _ := w.List("/api_keys")[0]["id"].(string)
	acctest.Expect(t, opened.Diagnostics, isError, nil, "Could not determine whether the API key was created", id, "Do not import")
	if made := len(w.List("/api_keys")); made != 1 {
		t.Errorf("%d keys were created", made)
	}
}

// A key that the service does not delete is named.
func TestEphemeralAPIKey_refusedDeletion(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	opened := run(t, p, map[string]any{"enabled": true})
	acctest.ExpectNone(t, opened.Diagnostics)
	id, _ := w.List("/api_keys")[0]["id"].(string)
	w.SetRules(testserver.Rule{Behavior: "html_before=403", Method: http.MethodDelete})
	acctest.Expect(t, ends(t, p, opened), isError, nil, "Could not delete the API key of this run", id, "403 Forbidden")
}

// A replica that does not know the new key yet does not prove that it is deleted.
func TestEphemeralAPIKey_laggingReplica(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	opened := run(t, p, map[string]any{"enabled": true})
	acctest.ExpectNone(t, opened.Diagnostics)
	id, _ := w.List("/api_keys")[0]["id"].(string)
	w.SetRules(testserver.Rule{Behavior: "404", Method: http.MethodDelete}, testserver.Rule{Behavior: "lag=1m", Method: http.MethodGet})
	acctest.Expect(t, ends(t, p, opened), isError, nil, "Could not delete the API key of this run", id, "less than 30 seconds ago")
}

func TestEphemeralAPIKey_validation(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	of := p.Schema.EphemeralResourceSchemas[kind].ValueType()
	resp, err := p.ValidateEphemeralResourceConfig(t.Context(), &tfprotov6.ValidateEphemeralResourceConfigRequest{
		TypeName: kind, Config: p.Dynamic(acctest.FromJSON(of, map[string]any{"enabled": true, "owner_id": "cert_1", "description": strings.Repeat("a", 256)})),
	})
	if err != nil || len(resp.Diagnostics) != 2 {
		t.Errorf("got %v, %v", resp.Diagnostics, err)
	}
}
