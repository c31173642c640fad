// Package reserveddomain defines domains that edges can serve, and their
// certificates: tunnel_reserved_domain.
package reserveddomain

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes reserved domains to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.ReservedDomain]{
	Kind:        api.ReservedDomains.Kind,
	Subcategory: "Domains",
	Schema:      resourceSchema,
	Keys:        crud.ObjectKey[model](api.ReservedDomains.Kind),
	OtherTypes:  []string{"domain"},
	NaturalKey:  "domain",
	Fill:        fill,
	Reading:     reading,
	NamedBy:     func(m *model, hostport string) bool { return serves(m.Domain.ValueString(), hostport) },
	References:  []crud.Reference[*model]{{Attribute: "certificate_id", To: []*api.Kind{api.TLSCertificates.Kind}, Of: certificates}},
	Validate:    validate,
	Plan:        plan,
	Operations:  crud.Collection(api.ReservedDomains, create, update),
})

type model struct {
	crud.Object
	Domain                      attribute.Domain `tfsdk:"domain"`
	CNAMETarget                 types.String     `tfsdk:"cname_target"`
	CertificateID               types.String     `tfsdk:"certificate_id"`
	CertificateManagementPolicy types.Object     `tfsdk:"certificate_management_policy"`
	Certificate                 types.Object     `tfsdk:"certificate"`
	CertificateManagementStatus types.Object     `tfsdk:"certificate_management_status"`
	ACMEChallengeCNAMETarget    types.String     `tfsdk:"acme_challenge_cname_target"`
}

func validate(_ context.Context, config *model, diags *diag.Diagnostics) {
	if attribute.IsKnown(config.CertificateID) && !config.CertificateManagementPolicy.IsNull() {
		diags.AddAttributeError(
			path.Root("certificate_id"),
			"Conflicting arguments certificate_id and certificate_management_policy",
			"Expected one of certificate_id and certificate_management_policy; found both. Remove certificate_id to let the service get the "+
				"certificate, "+
				"or certificate_management_policy to use an uploaded certificate.",
		)
	}
}

// plan checks a new certificate, and keeps what depends on the certificate and the
// policy if these do not change.
func plan(ctx context.Context, p *crud.Planning[*model]) {
	warnOfOtherNames(ctx, p)
	if p.State == nil || !p.Plan.CertificateID.Equal(p.State.CertificateID) ||
		!p.Plan.CertificateManagementPolicy.Equal(p.State.CertificateManagementPolicy) {
		return
	}
	p.Plan.Certificate = p.State.Certificate
	p.Plan.CertificateManagementStatus = p.State.CertificateManagementStatus
	p.Plan.ACMEChallengeCNAMETarget = p.State.ACMEChallengeCNAMETarget
}

func create(_ *crud.Provider, plan, _ *model) api.ReservedDomainCreate {
	return api.ReservedDomainCreate{
		Details: plan.Details(), Domain: attribute.ASCII(plan.Domain.ValueString()),
		CertificateID: plan.CertificateID.ValueString(), CertificateManagementPolicy: policy(plan.CertificateManagementPolicy),
	}
}

func update(plan *model) api.ReservedDomainUpdate {
	return api.ReservedDomainUpdate{
		Details:       plan.Details(),
		CertificateID: plan.CertificateID.ValueStringPointer(), CertificateManagementPolicy: policy(plan.CertificateManagementPolicy),
	}
}

// certificates returns the id of the certificate in use, which the service may
// have set, and of the one that a user has assigned.
func certificates(m *model) []string {
	inUse, _ := m.Certificate.Attributes()["id"].(types.String)
	return []string{inUse.ValueString(), m.CertificateID.ValueString()}
}

// serves reports whether a domain covers the host of a hostport.
func serves(domain, hostport string) bool {
	host := hostport[:max(0, strings.LastIndexByte(hostport, ':'))]
	return attribute.SameDomain(host, domain) || attribute.CoversHost([]string{domain}, nil, host)
}
