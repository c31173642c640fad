package sshhostcertificate_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const (
	kind    = "tunnel_ssh_host_certificate"
	isError = tfprotov6.DiagnosticSeverityError
	isWarn  = tfprotov6.DiagnosticSeverityWarning
)

type values = map[string]tftypes.Value

func certificate(key string, more values) values {
	config := values{
		"ssh_certificate_authority_id": acctest.Text("sshca_1"), "public_key": acctest.Text(key),
		"principals": acctest.Texts("host.example.com"),
	}
	maps.Copy(config, more)
	return config
}

func TestSSHHostCertificate_invalidConfig(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	key := testcert.PublicKey(t, "")
	private := testcert.PKCS8(t, testcert.Key(t, ""))
	t.Cleanup(func() {
		if sent := w.Sent(); sent > 0 {
			t.Errorf("%d requests were sent, want none", sent)
		}
	})
	for name, test := range map[string]struct {
		config values
		at     *tftypes.AttributePath
		want   string
	}{
		"half a second":                {certificate(key, values{"valid_until": acctest.Text("2050-01-01T00:00:00.5Z")}), acctest.At("valid_until"), "must not have fractional seconds"},
		"an end at the beginning":      {certificate(key, values{"valid_after": acctest.Text("2050-01-01T00:00:00Z"), "valid_until": acctest.Text("2050-01-01T01:00:00+01:00")}), acctest.At("valid_until"), "must be after the beginning of the validity period"},
		"a period and an end":          {certificate(key, values{"valid_until": acctest.Text("2050-01-01T00:00:00Z"), "validity_period_hours": acctest.Number(24)}), acctest.At("validity_period_hours"), "valid_until"},
		"renewal of the whole period":  {certificate(key, values{"validity_period_hours": acctest.Number(24), "early_renewal_hours": acctest.Number(24)}), acctest.At("early_renewal_hours"), "must be less than validity_period_hours (24)"},
		"hours beyond a hundred years": {certificate(key, values{"early_renewal_hours": acctest.Number(876001), "valid_until": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}), acctest.At("early_renewal_hours"), "must be from 0 to 876000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := p.Check(kind, test.config)
			acctest.Expect(t, found, isError, test.at, test.want)
			if strings.Contains(found[0].Detail, strings.Split(private, "\n")[1]) {
				t.Errorf("the private key is repeated: %s", found[0].Detail)
			}
		})
	}
}

func TestSSHHostCertificate_unusualPrincipalsWarn(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	key := testcert.PublicKey(t, "")
	for principal, want := range map[string]string{
		"host.example.com:22": "found a port or brackets",
		"a host":              "must be a hostname",
		"192.0.2.0/24":        "found a CIDR range",
	} {
		config := certificate(key, values{"principals": acctest.Texts("host.example.com", "192.0.2.1", "2001:db8::1", principal)})
		acctest.Expect(t, p.Check(kind, config), isWarn, acctest.At("principals"), "principals[3]", want, "The service may reject it")
	}
	acctest.Expect(t, p.Check(kind, certificate(key, values{"principals": acctest.Texts("")})), isError, acctest.At("principals"), "must not be empty")
}

func TestSSHHostCertificate_timesCheckedByClock(t *testing.T) {
	t.Parallel()
	clock := acctest.NewClock()
	p := acctest.Start(t).Protocol(t, provider.WithClock(clock.Now))
	key := testcert.PublicKey(t, "")
	in := func(d time.Duration) tftypes.Value { return acctest.Text(clock.Now().Add(d).Format(time.RFC3339)) }
	plan := func(more values) []*tfprotov6.Diagnostic {
		acctest.ExpectNone(t, p.Validate(kind, certificate(key, more)))
		return p.PlanNew(kind, certificate(key, more)).Diagnostics
	}
	acctest.ExpectNone(t, plan(values{"valid_until": in(time.Second)}))
	acctest.Expect(t, plan(values{"valid_until": in(0)}), isError, acctest.At("valid_until"), "Certificate would already be expired")
	acctest.Expect(t, plan(values{"valid_until": in(-time.Hour)}), isError, acctest.At("valid_until"), "Certificate would already be expired")
	acctest.Expect(t, plan(values{"valid_until": in(25 * time.Hour), "early_renewal_hours": acctest.Number(24)}), isWarn, acctest.At("early_renewal_hours"), "has no effect", "fixed end", "remove early_renewal_hours")
	acctest.Expect(t, plan(values{"valid_until": in(24 * time.Hour), "early_renewal_hours": acctest.Number(24)}), isWarn, acctest.At("valid_until"), "due but cannot be renewed")
	acctest.ExpectNone(t, plan(values{"early_renewal_hours": acctest.Number(8759)}))
	year := clock.Now().AddDate(1, 0, 0).Sub(clock.Now())
	acctest.Expect(t, plan(values{"valid_after": in(year)}), isError, acctest.At("valid_after"), "Set validity_period_hours or valid_until, or an earlier valid_after")
	acctest.ExpectNone(t, plan(values{"valid_after": in(year - time.Hour)}))
	acctest.ExpectNone(t, plan(values{"valid_after": in(year), "validity_period_hours": acctest.Number(1)}))
	acctest.ExpectNone(t, plan(values{"valid_after": in(year), "valid_until": in(2 * year)}))
	acctest.Expect(t, plan(values{"valid_after": in(-100 * time.Hour), "validity_period_hours": acctest.Number(48)}), isError, acctest.At("validity_period_hours"), "Certificate would already be expired")
	acctest.Expect(t, plan(values{"valid_after": acctest.Text("9999-12-31T00:00:00Z"), "validity_period_hours": acctest.Number(48)}), isError, acctest.At("validity_period_hours"), "the latest supported year is 9999")
	acctest.Expect(t, plan(values{"valid_after": in(-time.Hour), "validity_period_hours": acctest.Number(48), "early_renewal_hours": acctest.Number(47)}), isWarn, acctest.At("validity_period_hours"), "due but cannot be renewed")
	acctest.Expect(t, plan(values{"early_renewal_hours": acctest.Number(8760)}), isWarn, acctest.At("early_renewal_hours"), "Every apply would replace it")
}

func TestSSHHostCertificate_unknownValues(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	text, number := tftypes.NewValue(tftypes.String, tftypes.UnknownValue), tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)
	list := tftypes.List{ElementType: tftypes.String}
	for _, principals := range []tftypes.Value{tftypes.NewValue(list, tftypes.UnknownValue), tftypes.NewValue(list, []tftypes.Value{text, acctest.Text("host")})} {
		config := values{
			"ssh_certificate_authority_id": text, "public_key": text, "principals": principals,
			"valid_after": text, "valid_until": text, "early_renewal_hours": number,
		}
		acctest.ExpectNone(t, p.Check(kind, config))
		acctest.ExpectNone(t, p.PlanNew(kind, config).Diagnostics)
	}
}
