package sshcredential_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// A service that no longer takes DSA keys can have credentials with one.
func TestSSHCredential_oldDSAKeyPlansNoChange(t *testing.T) {
	t.Parallel()
	const kind, key = "tunnel_ssh_credential", "ssh-dss AAAAB3NzaC1kc3MAAACBAJEclllqbLVHTjJLZB2d8HAQ0SnzABl/bq2YP18+FwAwsip38V1TJ3woS8eUlGkA/nyd0MWB" +
		"BxSKEYmukOp4zJn+2Q+/V0sDvlOn0E3/o01+YMaxs7r0NHyuu6XXFQ4jjZqtaofu9wVb4/qKpkSoaMurc87p952MDxJdmLeX+1vN" +
		"AAAAFQCvw+Rvu47QCU5pQvuylqvRbRUg0wAAAIABM2o7+h6eEN/VSriKtdBK1xZzIX+kUH0NEmPMPxQbGMd4Wv11q4Elcv48lBIP" +
		"AShZc/8x12g8WkHh2zbsVbrJHB/OresHHvJ97cAD2rLsdGqVjJ8O+scJqGoS3N0emnF7TPRQVknqErLz/kusMYY449pUhtKzUH0q" +
		"fokVj6Xm5wAAAIBti+gb7Nj72fuo8rpNVLg9pRsklrYL/UBZCbUp+O16UcgL7bY2u/DyuZSR5KnBVs6E+odc7UIgs2rpNx31ShcV" +
		"Q4D2twnwIoUoWgNaiiBf8Dwiixvpa3Zl94rtEEBZpZEtSA1Be/nSzq3E+GfHpGeY/RXrJ2FFi0DgAm9GPEy0HA=="
	w := acctest.Start(t)
	p := w.Protocol(t)
	state, _ := p.Import(kind, w.Create("/ssh_credentials", `{"public_key": "`+testcert.PublicKey(t, "")+`"}`), nil)
	attributes := p.Attributes(state)
	attributes["public_key"] = acctest.Text(key)
	p.PlansNoChange(kind, acctest.Object(p.Type(kind), attributes))

	delete(attributes, "id")
	created := p.Check(kind, p.Attributes(p.Generated(kind, acctest.Object(p.Type(kind), attributes))))
	acctest.Expect(t, created, tfprotov6.DiagnosticSeverityError, acctest.At("public_key"), "found type ssh-dss", "ssh-keygen -t ed25519")
}
