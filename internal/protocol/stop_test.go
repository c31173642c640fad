package protocol_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestStop_endsCallsThatBeginLater checks that an apply that Terraform begins just
// after it stopped the provider does not wait for the service's limit, and that
// the next run can apply again.
func TestStop_endsCallsThatBeginLater(t *testing.T) {
	t.Parallel()
	const kind = "tunnel_group_backend"
	w := acctest.Start(t)
	p := w.Protocol(t)
	w.SetRules(testserver.Rule{Behavior: "429=600", Method: "POST", Count: 100})
	if _, err := p.StopProvider(t.Context(), &tfprotov6.StopProviderRequest{}); err != nil {
		t.Fatal(err)
	}
	labels := tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"app": acctest.Text("web")})
	config := acctest.Object(p.Type(kind), map[string]tftypes.Value{"labels": labels})
	state, diags := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), config)
	if len(diags) == 0 || !strings.HasPrefix(diags[0].Detail, "Create tunnel group backend: the run was interrupted") || strings.Contains(diags[0].Detail, "Try again") || !state.IsNull() {
		t.Errorf("expected a canceled creation, got %v, %v", state, diags)
	}
	w.SetRules()
	p.Configure(map[string]tftypes.Value{"base_url": acctest.Text(w.URL), "api_key": acctest.Text(w.AdminKey)})
	state, diags = p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), config)
	p.Must(diags)
	// An interrupted terraform test destroys what it has created, by the same process.
	if _, err := p.StopProvider(t.Context(), &tfprotov6.StopProviderRequest{}); err != nil {
		t.Fatal(err)
	}
	state, _ = p.Read(kind, state, nil)
	if _, diags := p.Apply(kind, state, tftypes.NewValue(p.Type(kind), nil)); len(diags) > 0 {
		t.Errorf("the destroy after an interrupt: %v", diags[0])
	}
}
