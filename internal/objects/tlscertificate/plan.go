package tlscertificate

import (
	"context"
	"crypto/x509"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var (
	chainPath = path.Root("certificate_pem")
	keyPath   = path.Root("private_key_pem")
	woPath    = path.Root("private_key_pem_wo")
)

// validate checks what a configuration says by itself: that there are not two
// keys, and that the key belongs to the leaf. That holds for a certificate that
// was imported as well.
func validate(_ context.Context, config *model, diags *diag.Diagnostics) {
	if attribute.Known(config.PrivateKeyPEM) && attribute.Known(config.PrivateKeyPEMWO) {
		diags.AddAttributeError(keyPath, "Two private keys",
			"private_key_pem and private_key_pem_wo are both set, expected one of them. Remove private_key_pem: "+
				"private_key_pem_wo keeps the key out of the state.")
		return
	}
	chain, err := attribute.ParseChain(config.CertificatePEM.ValueString())
	if err != nil {
		return // unknown, or reported by its type
	}
	at, text := config.key()
	key, err := attribute.ParsePrivateKey(text.ValueString())
	if err != nil {
		return
	}
	if attribute.HasKey(chain, key) && attribute.CheckOrder(chain) != nil {
		return // the leaf is not where it belongs, which the plan says
	}
	if err := attribute.CheckKeyOfLeaf(key, chain); err != nil {
		diags.AddAttributeError(at, "Private key of another certificate", at.String()+" "+err.Error()+".")
	}
}

// plan checks a certificate that is to be created, shows what it will be, and
// warns of one that ends soon.
func plan(_ context.Context, p *crud.Planning[model]) {
	now := p.Provider.Now()
	if p.State != nil {
		if p.Plan.CertificatePEM.Same(p.State.CertificatePEM) {
			warnOfEnd(p, now)
		}
		return // Terraform asks for the plan of a replacement as for a new one
	}
	if p.Config.PrivateKeyPEM.IsNull() && p.Config.PrivateKeyPEMWO.IsNull() {
		p.Diagnostics.AddAttributeError(keyPath, "Missing private key",
			"To create a TLS certificate, or to replace one, private_key_pem_wo must hold the private key of its leaf, with private_key_pem_wo_version beside it "+
				"(or private_key_pem, where Terraform is older than 1.11). "+
				"Only a certificate that exists at the service already, and is imported, does without.")
	}
	chain, err := attribute.ParseChain(p.Plan.CertificatePEM.ValueString())
	if err != nil {
		return // not known yet
	}
	if err := attribute.CheckOrder(chain); err != nil {
		p.Diagnostics.AddAttributeError(chainPath, "Invalid PEM certificate chain", "certificate_pem "+err.Error()+".")
	}
	warnOfNewLeaf(p, chain[0], now)
	derive(chain[0], p.Plan)
}

// warnOfEnd warns that a certificate which is kept ends soon, or has ended. The
// summary has all of it, since Terraform shows of several warnings with the same
// summary only one.
func warnOfEnd(p *crud.Planning[model], now time.Time) {
	end, ok := attribute.Instant(p.State.NotAfter)
	if !ok || p.Provider.ExpiryWarning == 0 || !attribute.EndsWithin(p.Provider.ExpiryWarning, end, now) {
		return
	}
	name := p.State.SubjectCommonName.ValueString()
	if chain, err := attribute.ParseChain(p.State.CertificatePEM.ValueString()); err == nil {
		name = attribute.CertificateName(chain[0])
	}
	p.Diagnostics.AddAttributeWarning(chainPath,
		fmt.Sprintf("TLS certificate %s (%s) %s on %s", name, p.State.ID.ValueString(), ends(end, now), date(end)),
		fmt.Sprintf("The leaf of %s, %q, %s on %s. Put its successor into certificate_pem, with its private key. "+
			"The provider's argument expiry_warning_hours says how early this warning comes.", p.State.ID.ValueString(), name, ends(end, now), date(end)))
}

// warnOfNewLeaf warns of a leaf that is not valid now, or not for long, where it
// is about to be uploaded.
func warnOfNewLeaf(p *crud.Planning[model], leaf *x509.Certificate, now time.Time) {
	name := attribute.CertificateName(leaf)
	switch {
	case attribute.Ended(leaf.NotAfter, now),
		p.Provider.ExpiryWarning > 0 && attribute.EndsWithin(p.Provider.ExpiryWarning, leaf.NotAfter, now):
		p.Diagnostics.AddAttributeWarning(chainPath,
			fmt.Sprintf("New TLS certificate %s %s on %s", name, ends(leaf.NotAfter, now), date(leaf.NotAfter)),
			fmt.Sprintf("The leaf in certificate_pem, %q, %s on %s. It is uploaded as it is.", name, ends(leaf.NotAfter, now), date(leaf.NotAfter)))
	case now.Before(leaf.NotBefore):
		p.Diagnostics.AddAttributeWarning(chainPath,
			fmt.Sprintf("New TLS certificate %s is not valid before %s", name, date(leaf.NotBefore)),
			fmt.Sprintf("The leaf in certificate_pem, %q, is not valid yet: its time begins on %s. It is uploaded as it is.", name, date(leaf.NotBefore)))
	}
}

func ends(end, now time.Time) string {
	if attribute.Ended(end, now) {
		return "expired"
	}
	return "expires"
}

func date(t time.Time) string { return t.UTC().Format(time.RFC3339) }
