package reserveddomain

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// warnOfOtherNames warns of a certificate that does not cover the domain, if the plan
// sets or changes one of them. A wildcard domain needs a certificate with the same
// wildcard. The summary names both, because Terraform shows only one of several
// warnings with the same summary.
func warnOfOtherNames(ctx context.Context, p *crud.Planning[*model]) {
	if p.State != nil && p.Plan.CertificateID.Equal(p.State.CertificateID) && p.Plan.Domain.Same(p.State.Domain) {
		return
	}
	if p.Provider.Client == nil || !attribute.IsKnown(p.Plan.CertificateID) || !attribute.IsKnown(p.Plan.Domain) {
		return
	}
	id, domain := p.Plan.CertificateID.ValueString(), p.Plan.Domain.ValueString()
	if !strings.HasPrefix(id, api.TLSCertificates.Kind.Prefix) {
		return // the validator warns
	}
	certificate := api.TLSCertificates.Of(p.Provider.Client).Peek(ctx, id)
	if certificate == nil {
		return // the apply reports it
	}
	chain, err := pki.ParseChain(certificate.CertificatePEM)
	if err != nil || pki.Covers(chain[0], domain) {
		return
	}
	covers := fmt.Sprintf("has only the common name %s, which clients ignore, and no subject alternative name for",
		pki.CertificateName(chain[0]))
	if all := pki.Hosts(chain[0]); len(all) > 0 {
		covers = "is valid for " + crud.Enumerate(all) + ", but not for"
	}
	p.Diagnostics.AddAttributeWarning(
		path.Root("certificate_id"),
		fmt.Sprintf("TLS certificate %s does not cover %s", quote.Foreign(id), quote.Foreign(domain)),
		fmt.Sprintf("The certificate %s %s %s, so clients reject it. Set certificate_id to a certificate that "+
			"covers the domain. To find one, use the data source tunnel_tls_certificate with hostname.",
			quote.Foreign(id), covers, quote.Foreign(domain)),
	)
}
