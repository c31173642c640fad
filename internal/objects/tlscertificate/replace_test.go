package tlscertificate_test

import (
	"crypto/x509/pkix"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestTLSCertificate_leafInThePlan checks that a plan shows the leaf of a new certificate
// as the state has it.
func TestTLSCertificate_leafInThePlan(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	end := time.Now().AddDate(0, 8, 0).UTC().Truncate(time.Second)
	chain := testcert.ChainOf{
		Intermediates: 2, Key: "rsa2048", NotAfter: end,
		Subject: pkix.Name{CommonName: "next.example.com", Organization: []string{"Example"}},
		Names:   []string{"next.example.com", "*.next.example.com"}, IPs: []net.IP{net.IPv4(192, 0, 2, 7)},
	}.New(t)
	given := pair(chain.PEM(), chain.PKCS8(t))
	planned := p.Attributes(p.Value(p.Type(kind), p.PlanNew(kind, given).PlannedState))
	state, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), acctest.Object(p.Type(kind), given))
	acctest.ExpectNone(t, found)
	applied := p.Attributes(state)
	for name, want := range map[string]any{
		"subject_common_name": "next.example.com", "subject_organization": "Example", "subject_locality": "", "issuer_common_name": "Example CA 1",
		"not_after": end.Format(time.RFC3339), "private_key_type": "rsa", "issued_at": nil,
		"subject_alternative_names": map[string]any{"dns_names": []any{"*.next.example.com", "next.example.com"}, "ips": []any{"192.0.2.7"}},
	} {
		value := acctest.FromJSON(applied[name].Type(), want)
		if !planned[name].Equal(value) || !applied[name].Equal(value) {
			t.Errorf("%s is planned as %s, then %s, want %s", name, planned[name], applied[name], value)
		}
	}
	// The API contract does not define their notation.
	for name, want := range map[string]tftypes.Value{
		"serial_number": acctest.Text(fmt.Sprintf("%x", chain.Leaf.SerialNumber.Bytes())), "key_usages": acctest.Texts("digital_signature"), "extended_key_usages": acctest.Texts("server_auth"),
	} {
		if planned[name].IsKnown() || !applied[name].Equal(want) {
			t.Errorf("%s is planned as %s, then %s, want %s", name, planned[name], applied[name], want)
		}
	}
}
