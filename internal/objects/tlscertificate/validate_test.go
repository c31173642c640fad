package tlscertificate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const (
	kind    = "tunnel_tls_certificate"
	isError = tfprotov6.DiagnosticSeverityError
	isWarn  = tfprotov6.DiagnosticSeverityWarning
)

type values = map[string]tftypes.Value

// pair returns a configuration with a chain and its write-only key.
func pair(chain, key string) values {
	return values{"certificate_pem": acctest.Text(chain), "private_key_pem_wo": acctest.Text(key), "private_key_pem_wo_version": acctest.Number(1)}
}

func TestTLSCertificate_invalidConfig(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	weak := testcert.ChainOf{Key: "rsa1024"}.New(t)
	key := chain.PKCS8(t)
	for name, test := range map[string]struct {
		config values
		at     string
		want   string
	}{
		"a certificate as key":         {pair(chain.PEM(), chain.PEM()), "private_key_pem_wo", "must be one PEM block"},
		"a key that is too short":      {pair(weak.PEM(), weak.PKCS8(t)), "certificate_pem", "found RSA with 1024 bits"},
		"a key of another type":        {pair(chain.PEM(), testcert.PKCS8(t, testcert.Key(t, "ed25519"))), "private_key_pem_wo", "of type ecdsa; found a different key of type ed25519"},
		"the key of another, in state": {values{"certificate_pem": acctest.Text(chain.PEM()), "private_key_pem": acctest.Text(testcert.PKCS8(t, testcert.Key(t, "")))}, "private_key_pem", "does not match the certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var errors []*tfprotov6.Diagnostic
			for _, d := range p.Check(kind, test.config) {
				if d.Severity == isError {
					errors = append(errors, d)
				}
				for line := range strings.Lines(key) {
					if !strings.HasPrefix(line, "-----") && strings.Contains(d.Summary+d.Detail, strings.TrimSpace(line)) {
						t.Errorf("the key is repeated: %s", d.Detail)
					}
				}
			}
			acctest.Expect(t, errors, isError, acctest.At(test.at), test.want)
		})
	}
}

func TestTLSCertificate_chainOutOfOrder(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	chain := testcert.ChainOf{Intermediates: 2}.New(t)
	for name, test := range map[string]struct {
		order []int
		want  string
	}{
		"leaf last":               {[]int{2, 3, 1}, `certificate_pem is out of order: the leaf certificate must come first. Reorder the blocks: block 3 ("www.example.com"), block 1 ("Example CA 1"), block 2 ("Example CA 2")`},
		"intermediates exchanged": {[]int{1, 3, 2, 4}, `the issuer of block 1 ("www.example.com") must come after it. Reorder the blocks: block 1 ("www.example.com"), block 3 ("Example CA 1"), block 2 ("Example CA 2"), block 4 ("Example Root CA")`},
		"one is missing":          {[]int{1, 3}, `found block 1 ("www.example.com"), which was issued by "Example CA 1", followed by block 2 ("Example CA 2"). Insert the certificate of the issuer after block 1, or remove the certificates that do not belong to the chain.`},
	} {
		config := pair(chain.PEM(test.order...), chain.PKCS8(t))
		t.Run(name, func(t *testing.T) {
			found := p.Validate(kind, config)
			if test.order[0] == 1 { // intermediates are checked by the plan, because existing chains may be out of order
				acctest.ExpectNone(t, found)
				found = p.PlanNew(kind, config).Diagnostics
			}
			acctest.Expect(t, found, isError, acctest.At("certificate_pem"), test.want)
		})
	}
}

// TestAccTLSCertificate_destroyWithoutRefreshSkipsChecks checks what the
// troubleshooting guide says about errors of a plan that stop a destroy.
func TestAccTLSCertificate_destroyWithoutRefreshSkipsChecks(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain, expired := testcert.ChainOf{}.New(t), testcert.ChainOf{NotBefore: time.Now().AddDate(-1, 0, 0), NotAfter: time.Now().Add(-time.Hour)}.New(t)
	tf := w.Terraform(t, config(chain.PEM(), chain.PKCS8(t)))
	tf.Apply(t)
	tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), config(chain.PEM(), chain.PKCS8(t)), config(expired.PEM(), expired.PKCS8(t)), 1))
	if out, err := tf.TryApply(t, "-destroy"); err == nil || !acctest.InError("Expired certificate would replace a valid one").MatchString(out) {
		t.Errorf("destroy: %v\n%s", err, acctest.Summary(out))
	}
	tf.Destroy(t, "-refresh=false")
}

func TestTLSCertificate_missingKey(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	chain := testcert.ChainOf{}.New(t)
	config := values{"certificate_pem": acctest.Text(chain.PEM())}
	acctest.ExpectNone(t, p.Validate(kind, config))
	acctest.Expect(t, p.PlanNew(kind, config).Diagnostics, isError, acctest.At("private_key_pem"), "Missing private key", "To create or replace a TLS certificate, set private_key_pem_wo")

	config["private_key_pem"], config["private_key_pem_wo"] = acctest.Text(chain.PKCS8(t)), acctest.Text(chain.PKCS8(t))
	var errors []*tfprotov6.Diagnostic
	for _, d := range p.Check(kind, config) {
		if d.Severity == isError {
			errors = append(errors, d)
		}
	}
	acctest.Expect(t, errors, isError, acctest.At("private_key_pem"), "Conflicting arguments private_key_pem and private_key_pem_wo", "Remove private_key_pem")
}

func TestTLSCertificate_keyWarns(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	chain := testcert.ChainOf{}.New(t)
	acctest.Expect(t, p.Check(kind, values{"certificate_pem": acctest.Text(chain.PEM()), "private_key_pem": acctest.Text(chain.PKCS8(t))}),
		isWarn, acctest.At("private_key_pem"), "private_key_pem_wo")
	acctest.Expect(t, p.Check(kind, values{"certificate_pem": acctest.Text(chain.PEM()), "private_key_pem_wo": acctest.Text(chain.PKCS8(t))}),
		isWarn, acctest.At("private_key_pem_wo"), "Set private_key_pem_wo_version")
	acctest.ExpectNone(t, p.Validate(kind, pair(chain.PEM(), chain.PKCS8(t))))
	acctest.ExpectNone(t, p.Validate(kind, values{"certificate_pem": acctest.Text(chain.PEM())}))
}

func TestTLSCertificate_unknownValues(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	chain := testcert.ChainOf{}.New(t)
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	for _, config := range []values{
		{"certificate_pem": unknown, "private_key_pem_wo": unknown},
		{"certificate_pem": unknown, "private_key_pem": acctest.Text(chain.PKCS8(t)), "private_key_pem_wo": unknown},
		{"certificate_pem": acctest.Text(chain.PEM()), "private_key_pem_wo": unknown, "private_key_pem_wo_version": tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)},
		{"certificate_pem": acctest.Text(chain.PEM()), "private_key_pem": unknown},
	} {
		for _, d := range append(p.Check(kind, config), p.PlanNew(kind, config).Diagnostics...) {
			if d.Severity == isError {
				t.Errorf("%s at %s: %s", d.Summary, d.Attribute, d.Detail)
			}
		}
	}
}

func TestTLSCertificate_tooLargeToUpload(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	chain := testcert.ChainOf{}.New(t)
	large := strings.Repeat(chain.PEM(), 64<<10/len(chain.PEM())+1)
	found := p.Check(kind, pair(large, chain.PKCS8(t)))
	if len(found) == 0 || !strings.Contains(found[0].Detail+found[len(found)-1].Detail, "must be at most 64 KiB") {
		t.Errorf("found %v", found)
	}
	comment := strings.Repeat("# a long comment\n", 64<<10/16)
	acctest.ExpectNone(t, p.Check(kind, pair(comment+chain.PEM(), chain.PKCS8(t)))) // comments are not sent
}
