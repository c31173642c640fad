package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func TestProvider_expiryWarningHours(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for hours, wrong := range map[int64]bool{-1: true, 0: false, 720: false, 876000: false, 876001: true} {
		config := acctest.Object(p.Schema.Provider.ValueType(), map[string]tftypes.Value{
			"base_url": text("https://api.example.com"), "api_key": text("k"), "expiry_warning_hours": acctest.Number(hours),
		})
		resp, err := p.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: p.Dynamic(config)})
		if err != nil {
			t.Fatal(err)
		}
		if wrong {
			acctest.Expect(t, resp.Diagnostics, tfprotov6.DiagnosticSeverityError, acctest.At("expiry_warning_hours"), "must be from 0 to 876000")
		} else {
			acctest.ExpectNone(t, resp.Diagnostics)
		}
	}
}

// The hours only matter to warnings, so a read need not wait for them.
func TestProvider_expiryWarningHoursUnknown(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := acctest.NewProtocol(t)
	p.Configure(arguments{
		"base_url": text(w.URL), "api_key": text(w.AdminKey), "expiry_warning_hours": tftypes.NewValue(tftypes.Number, tftypes.UnknownValue),
	})
	p.DataSource("tunnel_tls_edge", arguments{"id": text(w.Parents.TLSEdge)})
}
