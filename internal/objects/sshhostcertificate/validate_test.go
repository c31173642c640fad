package sshhostcertificate_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
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
	p := acctest.Start(t).Protocol(t)
	key := acctest.PublicKey(t, "")
	private := acctest.PKCS8(t, acctest.Key(t, ""))
	hosts := func(bad string) values {
		return values{"principals": acctest.Texts("host.example.com", "*.example.com", "192.0.2.1", "2001:db8::1", bad)}
	}
	for name, test := range map[string]struct {
		config values
		at     *tftypes.AttributePath
		want   string
	}{
		"a private key":                {certificate(private, nil), acctest.At("public_key"), "public_key is a private key; the public key belongs here"},
		"no key":                       {certificate("key", nil), acctest.At("public_key"), "is no SSH public key"},
		"a principal with a port":      {certificate(key, hosts("host.example.com:22")), acctest.At("principals", "host.example.com:22"), "must not have a port"},
		"a principal that is no host":  {certificate(key, hosts("a host")), acctest.At("principals", "a host"), "is neither a host name nor an IP address"},
		"a principal that is a range":  {certificate(key, hosts("192.0.2.0/24")), acctest.At("principals", "192.0.2.0/24"), "must not be a range of addresses"},
		"an empty principal":           {certificate(key, hosts("")), acctest.At("principals", ""), "must not be empty"},
		"a time that is none":          {certificate(key, values{"valid_after": acctest.Text("tomorrow")}), acctest.At("valid_after"), "must be a time in RFC 3339 notation"},
		"half a second":                {certificate(key, values{"valid_until": acctest.Text("2050-01-01T00:00:00.5Z")}), acctest.At("valid_until"), "must be a whole second"},
		"an end before the beginning":  {certificate(key, values{"valid_after": acctest.Text("2050-01-01T00:00:00Z"), "valid_until": acctest.Text("2049-01-01T00:00:00Z")}), acctest.At("valid_until"), "must be after valid_after"},
		"an end at the beginning":      {certificate(key, values{"valid_after": acctest.Text("2050-01-01T00:00:00Z"), "valid_until": acctest.Text("2050-01-01T01:00:00+01:00")}), acctest.At("valid_until"), "must be after valid_after"},
		"hours below zero":             {certificate(key, values{"early_renewal_hours": acctest.Number(-1)}), acctest.At("early_renewal_hours"), "between 0 and"},
		"hours beyond a hundred years": {certificate(key, values{"early_renewal_hours": acctest.Number(876001)}), acctest.At("early_renewal_hours"), "between 0 and"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := p.Validate(kind, test.config)
			acctest.Expect(t, found, isError, test.at, test.want)
			if strings.Contains(found[0].Detail, strings.Split(private, "\n")[1]) {
				t.Errorf("the private key is repeated: %s", found[0].Detail)
			}
		})
	}
}

func TestSSHHostCertificate_timesCheckedByClock(t *testing.T) {
	t.Parallel()
	clock := acctest.NewClock()
	p := acctest.Start(t).Protocol(t, provider.WithClock(clock.Now))
	key := acctest.PublicKey(t, "")
	in := func(d time.Duration) tftypes.Value { return acctest.Text(clock.Now().Add(d).Format(time.RFC3339)) }
	plan := func(more values) []*tfprotov6.Diagnostic {
		acctest.ExpectNone(t, p.Validate(kind, certificate(key, more)))
		return p.PlanNew(kind, certificate(key, more)).Diagnostics
	}
	acctest.ExpectNone(t, plan(values{"valid_until": in(time.Second)}))
	acctest.Expect(t, plan(values{"valid_until": in(0)}), isError, acctest.At("valid_until"), "would be invalid from the beginning")
	acctest.Expect(t, plan(values{"valid_until": in(-time.Hour)}), isError, acctest.At("valid_until"), "would be invalid from the beginning")
	acctest.ExpectNone(t, plan(values{"valid_until": in(25 * time.Hour), "early_renewal_hours": acctest.Number(24)}))
	acctest.Expect(t, plan(values{"valid_until": in(24 * time.Hour), "early_renewal_hours": acctest.Number(24)}), isError, acctest.At("valid_until"), "Certificate due for renewal")
	acctest.ExpectNone(t, plan(values{"early_renewal_hours": acctest.Number(8759)}))
	acctest.Expect(t, plan(values{"early_renewal_hours": acctest.Number(8760)}), isWarn, acctest.At("early_renewal_hours"), "every run replaces it")
}

func TestAccSSHHostCertificate_withoutPrincipalsWarns(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	key := acctest.PublicKey(t, "")
	for _, principals := range []tftypes.Value{acctest.Texts(), tftypes.NewValue(tftypes.Set{ElementType: tftypes.String}, nil)} {
		found := p.PlanNew(kind, certificate(key, values{"principals": principals})).Diagnostics
		acctest.Expect(t, found, isWarn, acctest.At("principals"), "valid for all hosts")
	}
	acctest.ExpectNone(t, p.PlanNew(kind, certificate(key, nil)).Diagnostics)

	tf := w.Terraform(t, config(w.Parents.SSHCertificateAuthority, key))
	if out := tf.Plan(t); !acctest.InError("Warning: SSH host certificate for all hosts").MatchString(out) {
		t.Errorf("the plan does not warn:\n%s", acctest.Summary(out))
	}
}

func TestSSHHostCertificate_unknownValues(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	text, number := tftypes.NewValue(tftypes.String, tftypes.UnknownValue), tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)
	set := tftypes.Set{ElementType: tftypes.String}
	for _, principals := range []tftypes.Value{tftypes.NewValue(set, tftypes.UnknownValue), tftypes.NewValue(set, []tftypes.Value{text, acctest.Text("host")})} {
		config := values{
			"ssh_certificate_authority_id": text, "public_key": text, "principals": principals,
			"valid_after": text, "valid_until": text, "early_renewal_hours": number,
		}
		acctest.ExpectNone(t, p.Validate(kind, config))
		acctest.ExpectNone(t, p.PlanNew(kind, config).Diagnostics)
	}
}

func TestAccSSHHostCertificate_invalidConfigSendsNothing(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	authority, key := w.Parents.SSHCertificateAuthority, acctest.PublicKey(t, "")
	for config, want := range map[string]string{
		config(authority, acctest.PKCS8(t, acctest.Key(t, ""))):                                                     "public_key is a private key",
		config(authority, key, `principals = ["bastion.example.com", "bastion:22"]`):                                `principals[Value("bastion:22")] must not have a port`,
		config(authority, key, `valid_until = "2020-01-01T00:00:00Z"`):                                              "valid_until is 2020-01-01T00:00:00Z",
		config(authority, key, `valid_after = "2050-01-01T00:00:00Z"`, `valid_until = "2050-01-01T01:00:00+01:00"`): "valid_until must be after valid_after",
	} {
		w.Run(t, resource.TestStep{Config: w.Config(config), ExpectError: acctest.InError(want)})
	}
	if sent := w.Sent(); sent > 0 {
		t.Errorf("%d requests were sent, expected none", sent)
	}
}
