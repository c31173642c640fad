package tlscertificate_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

const address = "tunnel_tls_certificate.test"

// config returns a certificate with additional arguments. If key is not empty,
// it sets private_key_pem.
func config(chain, key string, more ...string) string {
	if key != "" {
		more = append(more, fmt.Sprintf("private_key_pem = %q", key))
	}
	return acctest.Resource(address, append(more, fmt.Sprintf("certificate_pem = %q", chain))...)
}

func TestAccTLSCertificate_leafAttributes(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	chain, key := testcert.Certificate(t, "www.example.com", "*.example.com")
	names := tfjsonpath.New("subject_alternative_names")
	w.Run(t, resource.TestStep{
		Config: w.Config(config(chain, key)),
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue(address, tfjsonpath.New("certificate_pem"), knownvalue.StringExact(chain)),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("subject_common_name"), knownvalue.StringExact("www.example.com")),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("subject_organization"), knownvalue.StringExact("Example")),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("subject_locality"), knownvalue.StringExact("")),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("serial_number"), knownvalue.StringExact("0a1b2c")),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("private_key_type"), knownvalue.StringExact("ecdsa")),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("issued_at"), knownvalue.Null()),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("key_usages"), knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("digital_signature")})),
			statecheck.ExpectKnownValue(address, tfjsonpath.New("extended_key_usages"), knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("server_auth")})),
			statecheck.ExpectKnownValue(address, names.AtMapKey("dns_names"), knownvalue.ListExact([]knownvalue.Check{
				knownvalue.StringExact("*.example.com"), knownvalue.StringExact("www.example.com"),
			})),
			statecheck.ExpectKnownValue(address, names.AtMapKey("ips"), knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("192.0.2.1")})),
		},
	})
}
