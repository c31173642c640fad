package tlscertificate_test

import (
	"crypto"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

func holdsChain(text string) []statecheck.StateCheck {
	return []statecheck.StateCheck{statecheck.ExpectKnownValue(address, tfjsonpath.New("certificate_pem"), knownvalue.StringExact(text))}
}

func TestAccTLSCertificate_reformattedChainPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{Intermediates: 2}.New(t)
	key := chain.PKCS8(t)
	first := testcert.Reformatted(chain.PEM())
	tf := w.MeansTheSame(t, config(first, key),
		config(chain.PEM(), key),
		config(strings.TrimSpace(chain.PEM()), key),
		config(strings.ReplaceAll(chain.PEM(), "\n", "\r\n"), key),
		config("subject=CN = www.example.com\n"+chain.PEM(), key),
		config(chain.PEM(1, 2, 3), key), // without the root
	)
	tf.ExpectAttribute(t, address, "certificate_pem", first)
	tf.ExpectPlan(t, config(chain.PEM(), key, `description = "new"`), acctest.ExpectChanges(address, "description"))
}

// Clients do not need the root of a chain, so a service may omit it.
func TestAccTLSCertificate_omittedRootPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		kept := strings.ReplaceAll(string(sent), strings.ReplaceAll(chain.Blocks[2], "\n", `\n`), "")
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(kept)), int64(len(kept))
		w.ServeHTTP(rw, r)
	}))
	t.Cleanup(front.Close)
	step := resource.TestStep{
		Config:            strings.Replace(w.Config(config(chain.PEM(), chain.PKCS8(t))), w.URL, front.URL, 1),
		ConfigStateChecks: holdsChain(chain.PEM()),
	}
	again := step
	again.ConfigPlanChecks = acctest.Planned(plancheck.ExpectEmptyPlan())
	w.Run(t, step, again)
	if got := w.Stats().Requests["POST /tls_certificates"]; got != 1 {
		t.Errorf("%d certificates were uploaded, want 1", got)
	}
}

func TestAccTLSCertificate_reencodedKeyPlansNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	// One certificate for each type of key.
	chains := map[string]*testcert.Chain{}
	for _, kind := range []string{"rsa2048", "p256", "p384", "ed25519"} {
		chains[kind] = testcert.ChainOf{Key: kind, Intermediates: 1, Names: []string{"*.example.com", "example.com"}}.New(t)
	}
	with := func(encode func(testing.TB, crypto.Signer) string) string {
		text := ""
		for kind, chain := range chains {
			text += named(kind, config(chain.PEM(), encode(t, chain.Signer)))
		}
		return text
	}
	tf := w.MeansTheSame(t, with(testcert.Traditional), with(testcert.PKCS8), with(func(t testing.TB, key crypto.Signer) string {
		return testcert.Reformatted(testcert.Traditional(t, key))
	}))
	for kind, chain := range chains {
		tf.ExpectAttribute(t, "tunnel_tls_certificate."+kind, "private_key_pem", testcert.Traditional(t, chain.Signer))
	}
}

// named renames the resource test in a configuration.
func named(name, config string) string {
	return strings.NewReplacer(address, "tunnel_tls_certificate."+name, `"test"`, `"`+name+`"`).Replace(config)
}

// TestAccTLSCertificate_byteOrderMarkAndIndentation checks that byte order
// marks and indentation in PEM are accepted and not sent to the service.
func TestAccTLSCertificate_byteOrderMarkAndIndentation(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	marked := "\ufeff" + strings.Join(chain.Blocks, "\ufeff")
	indented := "  " + strings.ReplaceAll(strings.TrimSpace(chain.PEM()), "\n", "\n  ")
	key := "\ufeff" + strings.ReplaceAll(chain.PKCS8(t), "\n", "\n\t")
	w.MeansTheSame(t, config(marked, "", writeOnly(key, 1)), config(indented, "", writeOnly(key, 1)))
	if sent := w.List("/tls_certificates")[0]["certificate_pem"]; sent != chain.PEM() {
		t.Errorf("the service holds %q", sent)
	}
}
