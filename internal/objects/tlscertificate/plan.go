package tlscertificate

import (
	"context"
	"crypto/x509"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

var (
	chainPath = path.Root("certificate_pem")
	keyPath   = path.Root("private_key_pem")
	woPath    = path.Root("private_key_pem_wo")
)

// validate checks the parts of a configuration that do not depend on the state.
func validate(_ context.Context, config *model, diags *diag.Diagnostics) {
	privateKey.Check(config.PrivateKeyPEM, config.PrivateKeyPEMWO, config.PrivateKeyPEMWOVersion, diags)
	checkKey(config, diags)
}

// checkKey checks that the private key of a configuration belongs to the leaf.
// If the leaf does not come first, it reports that instead.
func checkKey(config *model, diags *diag.Diagnostics) {
	chain, err := pki.ParseChain(config.CertificatePEM.ValueString())
	if err != nil {
		return // unknown, or reported by the validator
	}
	at, text := config.key()
	key, err := pki.ParsePrivateKey(text.ValueString())
	if err != nil {
		return
	}
	err = pki.CheckKeyOfLeaf(key, chain)
	if order := pki.CheckOrder(chain); order != nil && (pki.HasKey(chain[1:], key) || err != nil && !pki.LeafFirst(chain)) {
		diags.AddAttributeError(chainPath, "Invalid PEM certificate chain", "certificate_pem "+order.Error()+".")
	} else if err != nil {
		diags.AddAttributeError(at, "Private key does not match certificate", at.String()+" "+err.Error()+
			". If ignore_changes contains certificate_pem, add "+at.String()+" there, too.")
	}
}

// plan checks a new certificate, plans its derived attributes, and warns of a
// certificate that expires soon. Terraform makes two plans for a replacement,
// and shows only the warnings of the first, which has a state.
func plan(_ context.Context, p *crud.Planning[*model]) {
	now := p.Provider.Now()
	if p.State != nil {
		if p.Plan.CertificatePEM.Same(p.State.CertificatePEM) {
			warnOfEnd(p, now)
			if chain, err := pki.ParseChain(p.State.CertificatePEM.ValueString()); err == nil {
				warnOfIssuers(p, chain, now)
			}
		} else if chain, err := pki.ParseChain(p.Plan.CertificatePEM.ValueString()); err == nil {
			checkReplacement(p, chain[0], now)
			warnOfIssuers(p, chain, now)
			warnOfLeafAlone(p, chain)
		}
		return
	}
	if p.Config.PrivateKeyPEM.IsNull() && p.Config.PrivateKeyPEMWO.IsNull() {
		p.Diagnostics.AddAttributeError(
			keyPath,
			"Missing private key",
			"To create or replace a TLS certificate, set private_key_pem_wo to the private key of the leaf certificate, and "+
				"private_key_pem_wo_version to 1 or a higher number. "+
				"With Terraform before 1.11, set private_key_pem. "+
				"An imported certificate does not need a key. If you expected no change after an import, compare certificate_pem with the "+
				"existing certificate. If the certificate was deleted outside of Terraform and is not needed any more, remove the resource.",
		)
	}
	chain, err := pki.ParseChain(p.Plan.CertificatePEM.ValueString())
	if err != nil {
		return // not known yet
	}
	if err := pki.CheckOrder(chain); err != nil {
		p.Diagnostics.AddAttributeError(chainPath, "Invalid PEM certificate chain", "certificate_pem "+err.Error()+"."+crud.DuringDestroy)
	}
	warnOfNewLeaf(p, chain[0], now)
	warnOfIssuers(p, chain, now)
	derive(chain[0], p.Plan)
}

// needsPlan reports whether plan has a result for a certificate that the
// configuration does not change: it or one of its issuers expires soon.
func needsPlan(u *crud.Unchanged) bool {
	if u.Provider.ExpiryWarning == 0 {
		return false
	}
	now := u.Provider.Now()
	begin, _ := attribute.ParseTime(u.Text("not_before"))
	if end, err := attribute.ParseTime(u.Text("not_after")); err == nil && attribute.EndsSoon(u.Provider.ExpiryWarning, begin, end, now) {
		return true
	}
	text := u.Text("certificate_pem")
	if strings.Count(text, "BEGIN CERTIFICATE") < 2 { // parsing takes time
		return false
	}
	chain, err := pki.ParseChain(text)
	return err == nil && slices.ContainsFunc(chain[1:], func(issuer *x509.Certificate) bool {
		return endsSoon(u.Provider, issuer, now)
	})
}

// warnOfEnd warns that an existing certificate expires soon or is expired. The
// summary contains all details, because Terraform shows only one of several
// warnings with the same summary.
func warnOfEnd(p *crud.Planning[*model], now time.Time) {
	begin, _ := attribute.Instant(p.State.NotBefore)
	end, ok := attribute.Instant(p.State.NotAfter)
	if !ok || !attribute.EndsSoon(p.Provider.ExpiryWarning, begin, end, now) {
		return
	}
	name := quote.Foreign(p.State.SubjectCommonName.ValueString())
	if chain, err := pki.ParseChain(p.State.CertificatePEM.ValueString()); err == nil {
		name = pki.CertificateName(chain[0])
	}
	renew := "Renew the certificate, then update certificate_pem and the private key."
	if !p.State.IssuedAt.IsNull() {
		renew = "The service has issued this certificate for a reserved domain with certificate_management_policy, and renews it as a new " +
			"certificate. Remove this one from the state with terraform state rm, and then from the configuration."
	}
	p.Diagnostics.AddAttributeWarning(chainPath,
		fmt.Sprintf("TLS certificate %s (%s) %s", name, p.State.ID.ValueString(), attribute.Ends(end, now)),
		fmt.Sprintf("The leaf certificate of %s, \"%s\", %s. %s%s",
			p.State.ID.ValueString(), name, attribute.Ends(end, now), renew, attribute.ExpiryHint(end, now)))
}

// checkReplacement adds an error if a leaf that clients reject now would replace a valid
// one. An hour is left for clocks that differ.
func checkReplacement(p *crud.Planning[*model], leaf *x509.Certificate, now time.Time) {
	end, ok := attribute.Instant(p.State.NotAfter)
	summary, is := "", ""
	switch {
	case !ok || attribute.Expired(end, now):
	case attribute.Expired(leaf.NotAfter, now):
		summary, is = "Expired certificate would replace a valid one", "expired on "+attribute.Date(leaf.NotAfter)
	case now.Add(time.Hour).Before(leaf.NotBefore):
		summary, is = "Certificate that is not valid yet would replace a valid one", "is not valid before "+attribute.Date(leaf.NotBefore)
	}
	if summary == "" {
		warnOfNewLeaf(p, leaf, now)
		return
	}
	p.Diagnostics.AddAttributeError(chainPath, summary, fmt.Sprintf(
		"The leaf certificate in certificate_pem, \"%s\", %s, but it would replace %s, which is valid until %s. "+
			"Set certificate_pem to a certificate that is valid now. To upload this one anyway, create a new resource.",
		pki.CertificateName(leaf), is, p.State.ID.ValueString(), attribute.Date(end)))
}

// warnOfLeafAlone warns of a leaf without its issuers that replaces a chain with an
// intermediate certificate.
func warnOfLeafAlone(p *crud.Planning[*model], chain []*x509.Certificate) {
	old, err := pki.ParseChain(p.State.CertificatePEM.ValueString())
	if err != nil || len(chain) > 1 || pki.IsRoot(chain[0]) ||
		!slices.ContainsFunc(old[1:], func(issuer *x509.Certificate) bool { return !pki.IsRoot(issuer) }) {
		return
	}
	name := pki.CertificateName(chain[0])
	p.Diagnostics.AddAttributeWarning(chainPath,
		fmt.Sprintf("New TLS certificate %s has no intermediate certificate", name),
		fmt.Sprintf("certificate_pem contains only the leaf certificate, \"%s\", but the chain of %s has an intermediate certificate. Clients "+
			"that do not know the issuer will reject it. Set certificate_pem to the whole chain, such as fullchain.pem of Certbot.",
			name, p.State.ID.ValueString()))
}

// warnOfNewLeaf warns of a leaf to upload that is expired, not valid yet, or
// expires soon.
func warnOfNewLeaf(p *crud.Planning[*model], leaf *x509.Certificate, now time.Time) {
	name := pki.CertificateName(leaf)
	switch {
	case attribute.Expired(leaf.NotAfter, now), endsSoon(p.Provider, leaf, now):
		p.Diagnostics.AddAttributeWarning(chainPath,
			fmt.Sprintf("New TLS certificate %s %s", name, attribute.Ends(leaf.NotAfter, now)),
			fmt.Sprintf("The leaf certificate in certificate_pem, \"%s\", %s. Clients reject an expired certificate. "+
				"Set certificate_pem and the private key to a renewed certificate, or apply to upload this one.",
				name, attribute.Ends(leaf.NotAfter, now)))
	case now.Before(leaf.NotBefore):
		p.Diagnostics.AddAttributeWarning(chainPath,
			fmt.Sprintf("New TLS certificate %s is not valid before %s", name, attribute.Date(leaf.NotBefore)),
			fmt.Sprintf("The leaf certificate in certificate_pem, \"%s\", is not valid before %s. Clients reject it until then. "+
				"Check that it is the certificate that you want to upload.", name, attribute.Date(leaf.NotBefore)))
	}
}

// warnOfIssuers warns of the first intermediate certificate that is expired or
// expires soon. The end of a root in the chain does not matter, because clients
// use their own.
func warnOfIssuers(p *crud.Planning[*model], chain []*x509.Certificate, now time.Time) {
	for i, issuer := range chain[1:] {
		if !endsSoon(p.Provider, issuer, now) || pki.IsRoot(issuer) {
			continue
		}
		name, leaf := pki.CertificateName(issuer), pki.CertificateName(chain[0])
		p.Diagnostics.AddAttributeWarning(
			chainPath,
			fmt.Sprintf("Intermediate certificate %s of TLS certificate %s %s", name, leaf, attribute.Ends(issuer.NotAfter, now)),
			fmt.Sprintf(
				"Block %d of certificate_pem, \"%s\", %s. Clients reject a certificate with an expired issuer. "+
					"Get the renewed chain from the issuer of \"%s\", and update certificate_pem.",
				i+2,
				name,
				attribute.Ends(issuer.NotAfter, now),
				leaf,
			),
		)
		return
	}
}

func endsSoon(provider *crud.Provider, certificate *x509.Certificate, now time.Time) bool {
	return attribute.EndsSoon(provider.ExpiryWarning, certificate.NotBefore, certificate.NotAfter, now)
}
