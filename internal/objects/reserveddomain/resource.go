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

const noun = "reserved domain"

// Kind describes reserved domains to Terraform.
var Kind = crud.Define(crud.Kind[model, api.ReservedDomain]{
	Type:     "reserved_domain",
	Noun:     noun,
	Schema:   resourceSchema,
	Keys:     crud.ObjectKey[model](noun, "rd_2abc"),
	Unique:   "domain",
	Fill:     fill,
	Reading:  reading,
	Validate: validate,
	Plan:     plan, // without NeedsPlan, because it cannot know whether the default in the policy applies
	Operations: crud.WithUsers(crud.Collection((*api.Client).ReservedDomains, create, update), func(ctx context.Context, client *api.Client, m *model) []api.User {
		return client.HostportUsers(ctx, func(hostport string) bool { return serves(m.Domain.ValueString(), hostport) })
	}),
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
		diags.AddAttributeError(path.Root("certificate_id"), "Conflicting arguments certificate_id and certificate_management_policy",
			"Expected one of certificate_id and certificate_management_policy; found both. Remove certificate_id to let the service get the certificate, "+
				"or certificate_management_policy to use an uploaded certificate.")
	}
}

// plan keeps what depends on the certificate and the policy if these do not
// change.
func plan(_ context.Context, p *crud.Planning[model]) {
	if p.State == nil || !p.Plan.CertificateID.Equal(p.State.CertificateID) || !p.Plan.CertificateManagementPolicy.Equal(p.State.CertificateManagementPolicy) {
		return
	}
	p.Plan.Certificate = p.State.Certificate
	p.Plan.CertificateManagementStatus = p.State.CertificateManagementStatus
	p.Plan.ACMEChallengeCNAMETarget = p.State.ACMEChallengeCNAMETarget
}

func create(_ *crud.Provider, plan, _ *model) api.ReservedDomainCreate {
	return api.ReservedDomainCreate{
		Details: plan.Details(), Domain: plan.Domain.ValueString(),
		CertificateID: plan.CertificateID.ValueString(), CertificateManagementPolicy: policy(plan.CertificateManagementPolicy),
	}
}

func update(plan *model) api.ReservedDomainUpdate {
	return api.ReservedDomainUpdate{
		DetailsUpdate: plan.DetailsUpdate(),
		CertificateID: plan.CertificateID.ValueStringPointer(), CertificateManagementPolicy: policy(plan.CertificateManagementPolicy),
	}
}

// serves reports whether a domain covers the host of a hostport.
func serves(domain, hostport string) bool {
	host := hostport[:max(0, strings.LastIndexByte(hostport, ':'))]
	return attribute.SameDomain(host, domain) || attribute.CoversHost([]string{domain}, nil, host)
}
