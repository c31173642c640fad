package tlscertificate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// uploaded creates a certificate out of band and returns its id.
func uploaded(t *testing.T, w *acctest.Env, chain *testcert.Chain) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"certificate_pem": chain.PEM(), "private_key_pem": chain.PKCS8(t), "description": "by hand"})
	if err != nil {
		t.Fatal(err)
	}
	return w.Create("/tls_certificates", string(body))
}

// imported returns a configuration that imports a certificate.
func imported(id, rest string) string {
	return fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", address, id) + rest
}

// nothingSent returns a check that only GET requests were sent.
func nothingSent(w *acctest.Env) resource.TestCheckFunc {
	return func(*terraform.State) error {
		for route, count := range w.Stats().Requests {
			if !strings.HasPrefix(route, "GET ") {
				return fmt.Errorf("%d times %s was sent, expected nothing but GET", count, route)
			}
		}
		return nil
	}
}

func writeOnly(key string, version int) string {
	return fmt.Sprintf("private_key_pem_wo = %q\n  private_key_pem_wo_version = %d", key, version)
}

func TestAccTLSCertificate_importIsNotReplaced(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	key := chain.PKCS8(t)
	text := testcert.Reformatted(chain.PEM())
	description := `description = "by hand"`
	all, ids := w.Config(""), map[string]string{}
	var plan []plancheck.PlanCheck
	for name, test := range map[string]struct {
		config string
		action plancheck.ResourceActionType
	}{
		"without_a_key":                 {config(text, "", description), plancheck.ResourceActionNoop},
		"with_its_key":                  {config(text, key, description), plancheck.ResourceActionUpdate},
		"with_its_key_in_sec_1":         {config(text, testcert.Traditional(t, chain.Signer), description), plancheck.ResourceActionUpdate},
		"with_its_write_only_key":       {config(text, "", description, fmt.Sprintf("private_key_pem_wo = %q", key)), plancheck.ResourceActionNoop},
		"with_a_version_of_its_key":     {config(text, "", description, writeOnly(key, 1)), plancheck.ResourceActionUpdate},
		"with_a_version_but_no_key_yet": {config(text, "", description, `private_key_pem_wo_version = 7`), plancheck.ResourceActionUpdate},
	} {
		ids[name] = uploaded(t, w, chain)
		all += named(name, imported(ids[name], test.config))
		plan = append(plan, plancheck.ExpectResourceAction("tunnel_tls_certificate."+name, test.action))
	}
	w.Run(t, resource.TestStep{
		PreConfig:        w.ResetStats,
		Config:           all,
		ConfigPlanChecks: acctest.Planned(plan...),
		Check: resource.ComposeTestCheckFunc(nothingSent(w), func(state *terraform.State) error {
			for name, id := range ids {
				var found string
				if err := acctest.ID("tunnel_tls_certificate."+name, &found)(state); err != nil {
					return err
				}
				if found != id {
					return fmt.Errorf("%s has the id %s, expected that of the import, %s", name, found, id)
				}
			}
			return nil
		}),
	})
}

// TestAccTLSCertificate_keyAfterImport adds, removes and adds the key of an imported
// certificate, which only changes the state. Another certificate needs its key.
func TestAccTLSCertificate_keyAfterImport(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain, next := testcert.ChainOf{}.New(t), testcert.ChainOf{}.New(t)
	description := `description = "by hand"`
	changes := func(config string, paths ...string) resource.TestStep {
		return resource.TestStep{
			PreConfig: w.ResetStats, Config: w.Config("%s", config),
			ConfigPlanChecks: acctest.Planned(acctest.ExpectChanges(address, paths...)), Check: nothingSent(w),
		}
	}
	w.Run(t,
		resource.TestStep{
			Config:           w.Config("") + imported(uploaded(t, w, chain), config(chain.PEM(), "", description)),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionNoop)),
		},
		changes(config(chain.PEM(), chain.PKCS8(t), description), "private_key_pem"),
		changes(config(chain.PEM(), "", description), "private_key_pem"),
		changes(config(chain.PEM(), "", description, writeOnly(chain.PKCS8(t), 1)), "private_key_pem_wo_version"),
		resource.TestStep{
			Config:      w.Config(config(next.PEM(), "", description)),
			PlanOnly:    true,
			ExpectError: acctest.InError("Missing private key", "To create or replace a TLS certificate, set private_key_pem_wo"),
		},
		resource.TestStep{
			Config:           w.Config(config(next.PEM(), "", description, writeOnly(next.PKCS8(t), 1))),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate)),
		},
	)
}

func TestAccTLSCertificate_otherKeyInStateAfterImportIsAnError(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain, other := testcert.ChainOf{}.New(t), testcert.Key(t, "p384")
	id := uploaded(t, w, chain)
	w.Run(t, resource.TestStep{
		Config:      w.Config("") + imported(id, config(chain.PEM(), testcert.PKCS8(t, other))),
		ExpectError: acctest.InError("Private key does not match certificate", "private_key_pem does not match the certificate"),
	})
	if !w.Exists("/tls_certificates/" + id) {
		t.Error("the certificate is gone")
	}
}

// TestAccTLSCertificate_otherWriteOnlyKey checks that a wrong key is an error
// of validation, whether it is used (with a new version) or not. This also
// stops terraform destroy. The certificate can be destroyed by removing its
// resource from the configuration.
func TestAccTLSCertificate_otherWriteOnlyKey(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{}.New(t)
	of := func(key string, version int) string { return config(chain.PEM(), "", writeOnly(key, version)) }
	tf := w.Terraform(t, of(chain.PKCS8(t), 1))
	tf.Apply(t)
	all, other := tf.Read(t, "main.tf"), testcert.PKCS8(t, testcert.Key(t, "p384"))
	for _, version := range []int{1, 2} {
		tf.Write(t, "main.tf", strings.Replace(all, of(chain.PKCS8(t), 1), of(other, version), 1))
		out, err := tf.TryPlan(t)
		if err == nil || strings.Count(out, "Private key does not match certificate") != 1 ||
			!acctest.InError("Error: Private key does not match certificate", "private_key_pem_wo does not match the certificate").MatchString(out) {
			t.Errorf("version %d: expected one error, got %v:\n%s", version, err, acctest.Summary(out))
		}
	}
	tf.Write(t, "main.tf", strings.Replace(all, of(chain.PKCS8(t), 1), "", 1))
	tf.Apply(t)
	if left := w.List("/tls_certificates"); len(left) > 0 {
		t.Errorf("%d certificates are left", len(left))
	}
}
