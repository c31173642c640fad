package tlscertificate_test

import (
	"bytes"
	"crypto/x509/pkix"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const createBeforeDestroy = "lifecycle {\n    create_before_destroy = true\n  }"

func planShows(attribute tfjsonpath.Path, value knownvalue.Check) plancheck.PlanCheck {
	return plancheck.ExpectKnownValue(address, attribute, value)
}

func TestAccTLSCertificate_planShowsNewLeaf(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{Intermediates: 1}.New(t)
	end := time.Now().AddDate(0, 8, 0).UTC().Truncate(time.Second)
	next := testcert.ChainOf{
		Intermediates: 2, Key: "rsa2048", NotAfter: end,
		Subject: pkix.Name{CommonName: "next.example.com", Organization: []string{"Example"}},
		Names:   []string{"next.example.com", "*.next.example.com"}, IPs: []net.IP{net.IPv4(192, 0, 2, 7)},
	}.New(t)
	names := tfjsonpath.New("subject_alternative_names")
	w.Run(t,
		resource.TestStep{Config: w.Config(config(chain.PEM(), chain.PKCS8(t)))},
		resource.TestStep{
			Config: w.Config(config(next.PEM(), next.PKCS8(t))),
			ConfigPlanChecks: acctest.Planned(
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate),
				planShows(tfjsonpath.New("subject_common_name"), knownvalue.StringExact("next.example.com")),
				planShows(tfjsonpath.New("subject_organization"), knownvalue.StringExact("Example")),
				planShows(tfjsonpath.New("subject_locality"), knownvalue.StringExact("")),
				planShows(tfjsonpath.New("issuer_common_name"), knownvalue.StringExact("Example CA 1")),
				planShows(tfjsonpath.New("not_after"), knownvalue.StringExact(end.Format(time.RFC3339))),
				planShows(tfjsonpath.New("private_key_type"), knownvalue.StringExact("rsa")),
				planShows(names.AtMapKey("dns_names"), knownvalue.ListExact([]knownvalue.Check{
					knownvalue.StringExact("*.next.example.com"), knownvalue.StringExact("next.example.com"),
				})),
				planShows(names.AtMapKey("ips"), knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("192.0.2.7")})),
				// The API contract does not define their notation.
				plancheck.ExpectUnknownValue(address, tfjsonpath.New("serial_number")),
				plancheck.ExpectUnknownValue(address, tfjsonpath.New("key_usages")),
			),
		},
	)
}

func TestTLSCertificate_ambiguousLeafIsKnownAfterApply(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain := testcert.ChainOf{
		Subject: pkix.Name{CommonName: "www.example.com", Organization: []string{"One", "Two"}},
		IPs:     []net.IP{net.ParseIP("2001:db8::1")},
	}.New(t)
	p := w.Protocol(t)
	given := acctest.Object(p.Type(kind), pair(chain.PEM(), chain.PKCS8(t)))
	planned := p.Attributes(p.Value(p.Type(kind), p.PlanNew(kind, pair(chain.PEM(), chain.PKCS8(t))).PlannedState))
	state, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), given)
	acctest.ExpectNone(t, found)
	for name, known := range map[string]bool{"subject_organization": false, "subject_alternative_names": false, "subject_common_name": true} {
		if planned[name].IsFullyKnown() != known || p.Attributes(state)[name].IsNull() {
			t.Errorf("planned %s, then %s", planned[name], p.Attributes(state)[name])
		}
	}
}

func TestAccTLSCertificate_createBeforeDestroy(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain, next := testcert.ChainOf{}.New(t), testcert.ChainOf{}.New(t)
	w.Run(t,
		resource.TestStep{Config: w.Config(config(chain.PEM(), "", writeOnly(chain.PKCS8(t), 1), createBeforeDestroy))},
		resource.TestStep{
			PreConfig:        w.ResetStats,
			Config:           w.Config(config(next.PEM(), "", writeOnly(next.PKCS8(t), 2), createBeforeDestroy)),
			ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreateBeforeDestroy)),
			Check:            w.CreatedBeforeDeleted("/tls_certificates"),
		},
	)
}

// TestAccTLSCertificate_serviceReadsLeafDifferently uses a service that returns
// other leaf attributes than planned.
func TestAccTLSCertificate_serviceReadsLeafDifferently(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	target, err := url.Parse(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: func(resp *http.Response) error {
			if resp.StatusCode >= 300 || resp.StatusCode == http.StatusNoContent {
				return nil
			}
			var answer map[string]any
			if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
				return err
			}
			changeLeaf(answer)
			page, _ := answer["tls_certificates"].([]any)
			for _, listed := range page {
				changeLeaf(listed.(map[string]any))
			}
			body, err := json.Marshal(answer)
			resp.Body = io.NopCloser(bytes.NewReader(body))
			resp.ContentLength = int64(len(body))
			resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
			return err
		},
	})
	t.Cleanup(proxy.Close)
	at := func(config string) string { return strings.Replace(w.Config(config), w.URL, proxy.URL, 1) }
	chain, next := testcert.ChainOf{}.New(t), testcert.ChainOf{}.New(t)
	w.Run(t,
		resource.TestStep{Config: at(config(chain.PEM(), chain.PKCS8(t)))},
		resource.TestStep{
			Config: at(config(chain.PEM(), chain.PKCS8(t), `description = "new"`)),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue(address, tfjsonpath.New("subject_common_name"), knownvalue.StringExact("WWW.EXAMPLE.COM")),
			},
		},
		resource.TestStep{Config: at(config(next.PEM(), next.PKCS8(t)))},
	)
}

func changeLeaf(certificate map[string]any) {
	certificate["subject_common_name"] = "WWW.EXAMPLE.COM"
	certificate["subject_organization"] = "Somebody"
	certificate["subject_alternative_names"] = map[string]any{"dns_names": []string{"more.example.com"}, "ips": nil}
	certificate["issued_at"] = "2026-01-01T00:00:00Z"
	certificate["not_after"] = "2031-01-01T00:00:00Z"
	certificate["private_key_type"] = "ec"
}
