package action_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const isError = tfprotov6.DiagnosticSeverityError

// invoke runs an action, and returns its progress and diagnostics. It calls each function
// after a message of the progress.
func invoke(
	ctx context.Context, t *testing.T, p *acctest.Protocol, name string, arguments map[string]any, then ...func(),
) (progress []string, diags []*tfprotov6.Diagnostic) {
	t.Helper()
	server := p.ProviderServer.(tfprotov6.ActionServer) //nolint:forcetypeassert // a panic is a failure
	stream, err := server.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{
		ActionType: name, Config: p.Dynamic(acctest.FromJSON(p.Schema.ActionSchemas[name].Schema.ValueType(), arguments)),
	})
	if err != nil {
		t.Fatal(err)
	}
	for event := range stream.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress = append(progress, event.Message)
			for _, do := range then {
				do()
			}
		case tfprotov6.CompletedInvokeActionEventType:
			diags = event.Diagnostics
		}
	}
	return progress, diags
}

func TestWaitForTunnels_untilTheyAreOpen(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	id := w.Create("/backends/tunnel_group", `{"labels": {"app": "web"}}`)
	sent := w.Sent()
	progress, diags := invoke(t.Context(), t, p, "tunnel_wait_for_tunnels", map[string]any{"backend_id": id}, func() {
		w.ForceEdit("/backends/tunnel_group/"+id, `{"tunnels": [{"id": "tn_1"}]}`)
	})
	acctest.ExpectNone(t, diags)
	if !slices.Equal(progress, []string{"0 of 1 tunnels"}) || w.Sent() != sent+2 {
		t.Errorf("progress %q after %d requests", progress, w.Sent()-sent)
	}
	_, diags = invoke(t.Context(), t, p, "tunnel_wait_for_tunnels", map[string]any{"backend_id": id, "tunnels": 2, "timeout": "3s"})
	acctest.Expect(t, diags, isError, acctest.At("backend_id"), "It was not ready within 3s (timeout). The last response: 1 of 2 tunnels")
	_, diags = invoke(t.Context(), t, p, "tunnel_wait_for_tunnels", map[string]any{"backend_id": "bkdtg_gone"})
	acctest.Expect(t, diags, isError, acctest.At("backend_id"), "404 Not Found")
}

// The wait ends when Terraform is interrupted.
func TestWaitForTunnels_interrupted(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	id := w.Create("/backends/tunnel_group", `{"labels": {"app": "web"}}`)
	ctx, cancel := context.WithCancel(t.Context())
	sent := w.Sent()
	_, diags := invoke(ctx, t, p, "tunnel_wait_for_tunnels", map[string]any{"backend_id": id}, cancel)
	if len(diags) != 1 || w.Sent() != sent+1 {
		t.Errorf("after %d requests: %v", w.Sent()-sent, diags)
	}
}

// Each step is what the service says of a managed domain.
func TestWaitForCertificate_untilItIsIssued(t *testing.T) {
	t.Parallel()
	const domain = `{"id": "rd_1", "domain": "www.example.com", "certificate": %s, "certificate_management_policy": %s, "certificate_management_status": %s}`
	policy := `{"authority": "letsencrypt", "private_key_type": "ecdsa"}`
	var asked atomic.Int32
	answers := []string{
		fmt.Sprintf(domain, "null", policy, `{"provisioning_job": {"error_code": "DNS_ERROR", "msg": "no CNAME record.", "retries_at": "2026-11-29T12:00:00Z"}}`),
		fmt.Sprintf(domain, `{"id": "cert_1"}`, policy, "null"),
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("the action sent %s", r.Method)
		}
		if strings.HasSuffix(r.URL.Path, "rd_2") {
			_, _ = io.WriteString(w, strings.Replace(fmt.Sprintf(domain, "null", "null", "null"), "rd_1", "rd_2", 1))
			return
		}
		_, _ = io.WriteString(w, answers[min(int(asked.Add(1)), len(answers))-1])
	}))
	t.Cleanup(service.Close)
	p := acctest.NewProtocol(t)
	acctest.ExpectNone(t, p.TryConfigure(map[string]tftypes.Value{
		"base_url": acctest.Text(service.URL), "api_key": acctest.Text("key"), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true),
	}))
	progress, diags := invoke(t.Context(), t, p, "tunnel_wait_for_certificate", map[string]any{"domain_id": "rd_1"})
	acctest.ExpectNone(t, diags)
	want := []string{"no certificate for www.example.com yet: DNS_ERROR: no CNAME record. The service tries again at 2026-11-29T12:00:00Z"}
	if !slices.Equal(progress, want) || asked.Load() != 2 {
		t.Errorf("progress %q after %d requests", progress, asked.Load())
	}
	_, diags = invoke(t.Context(), t, p, "tunnel_wait_for_certificate", map[string]any{"domain_id": "rd_2"})
	acctest.Expect(t, diags, isError, acctest.At("domain_id"), "neither a certificate_id nor a certificate_management_policy")
}
