// Package sshhostcertificate defines SSH host keys signed by an SSH certificate
// authority: tunnel_ssh_host_certificate.
package sshhostcertificate

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes SSH host certificates to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.SSHHostCertificate]{
	Kind:        api.SSHHostCertificates.Kind,
	Subcategory: "SSH",
	Schema: schema.Schema{
		Description: "An SSH host certificate: the public key of a server, signed by an SSH certificate authority of the account. " +
			"Clients that trust the authority accept the server without its host key in `known_hosts`. " +
			"Deleting the certificate does not revoke it: clients accept it until `valid_until`.",
		Attributes: crud.ObjectAttributes(api.SSHHostCertificates.Kind, attributes),
	},
	Keys: crud.ObjectKey[model](api.SSHHostCertificates.Kind),
	References: []crud.Reference[*model]{{
		Attribute: "ssh_certificate_authority_id", To: []*api.Kind{api.SSHCertificateAuthorities.Kind},
		Of: func(m *model) []string { return []string{m.SSHCertificateAuthorityID.ValueString()} },
	}},
	Fill:       fill,
	Reading:    reading,
	Validate:   validate,
	Plan:       plan,
	NeedsPlan:  needsPlan,
	Stored:     stored,
	Generated:  generated,
	Operations: crud.Collection(api.SSHHostCertificates, create, update),
})

type model struct {
	crud.Object
	SSHCertificateAuthorityID types.String        `tfsdk:"ssh_certificate_authority_id"`
	PublicKey                 pki.PublicKey       `tfsdk:"public_key"`
	KeyType                   types.String        `tfsdk:"key_type"`
	Principals                types.List          `tfsdk:"principals"`
	ValidAfter                attribute.Timestamp `tfsdk:"valid_after"`
	ValidUntil                attribute.Timestamp `tfsdk:"valid_until"`
	Certificate               pki.SSHCertificate  `tfsdk:"certificate"`

	ValidityPeriodHours types.Int64 `tfsdk:"validity_period_hours"`
	EarlyRenewalHours   types.Int64 `tfsdk:"early_renewal_hours"`
	ReadyForRenewal     types.Bool  `tfsdk:"ready_for_renewal"`
}

var attributes = map[string]schema.Attribute{
	"ssh_certificate_authority_id": schema.StringAttribute{
		Required: true,
		Description: "ID of the SSH certificate authority that signs the certificate, such as `" +
			api.SSHCertificateAuthorities.Example() + "`.\nChanging this forces a new resource to be created.",
		Validators:    crud.ID(api.SSHCertificateAuthorities.Kind),
		PlanModifiers: []planmodifier.String{attribute.ReplaceFixed},
	},
	"public_key": schema.StringAttribute{
		CustomType: pki.PublicKeyType{},
		Required:   true,
		Description: "Public host key of the server, as one line in OpenSSH authorized-keys format, such as the content of " +
			"`/etc/ssh/ssh_host_ed25519_key.pub`, or in PEM or RFC 4716 format. " +
			"The type must be RSA with at least 2048 bits, ECDSA or Ed25519.\nChanging this forces a new resource to be created. " +
			"Changes of the comment are ignored.",
		Validators:    []validator.String{pki.PublicKeyType{}.Valid(), pki.PublicKeySize},
		PlanModifiers: []planmodifier.String{pki.PublicKeyType{}.KeepSame(), stringplanmodifier.RequiresReplace()},
	},
	"key_type": crud.Computed("Type of the public key: `rsa`, `ecdsa` or `ed25519`."),
	"principals": schema.ListAttribute{
		ElementType: attribute.PrincipalType{},
		Optional:    true,
		Description: "Hostnames and IP addresses that the certificate is valid for, without ports, such as `bastion.example.com`. " +
			"Write hostnames in lower case, as ssh asks for them. OpenSSH does not match wildcards. The order has no meaning." +
			"\nIf unset or empty, the certificate is valid for all hosts: the plan that creates it shows a warning. " +
			"Changing this forces a new resource to be created.",
		Validators: []validator.List{attribute.NoNulls, listvalidator.ValueStringsAre(attribute.Principal...)},
		// Certificates have principals as they are spelled: see attribute.CheckPrincipal.
		PlanModifiers: []planmodifier.List{attribute.TextType{}.KeepElements(), listplanmodifier.RequiresReplace()},
	},
	"valid_after": schema.StringAttribute{
		CustomType: attribute.TimestampType{},
		Optional:   true,
		Computed:   true,
		Description: "Start of the validity period, in RFC 3339 format.\nWithout fractional seconds. Defaults to the creation time. " +
			"Changing this forces a new resource to be created. If it is removed, the current certificate keeps its value. " +
			"Do not set it with `timestamp()` or `plantimestamp()`: they change with every plan, and each plan then replaces the certificate.",
		Validators: []validator.String{attribute.TimestampType{}.Valid(), attribute.SSHTime},
		PlanModifiers: []planmodifier.String{
			attribute.TimestampType{}.KeepSame(), stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace(),
		},
	},
	"valid_until": schema.StringAttribute{
		CustomType: attribute.TimestampType{},
		Optional:   true,
		Computed:   true,
		Description: "End of the validity period, in RFC 3339 format.\nWithout fractional seconds. Must be in the future when the " +
			"certificate is created. " +
			"Defaults to `valid_after` plus `validity_period_hours`, or to one year after creation. Changing this forces a new resource to be " +
			"created. If it is removed, the current certificate keeps its value. " +
			"Do not set it with `timestamp()` or `plantimestamp()`: they change with every plan, and each plan then replaces the certificate. " +
			"Set `validity_period_hours` instead.",
		Validators: []validator.String{attribute.TimestampType{}.Valid(), attribute.SSHTime},
		PlanModifiers: []planmodifier.String{
			attribute.TimestampType{}.KeepSame(), stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace(),
		},
	},
	"validity_period_hours": schema.Int64Attribute{
		Optional: true,
		Description: "Validity period of each new certificate in hours, such as `2160` (90 days).\nConflicts with `valid_until`. " +
			"If unset, a new certificate is valid for one year. " +
			"Can be updated in place. The current certificate keeps its `valid_until`; the new value applies to the next certificate.",
		Validators: []validator.Int64{attribute.Between(1, attribute.MostHours)},
	},
	"early_renewal_hours": schema.Int64Attribute{
		Optional: true,
		Description: "Number of hours before `valid_until` at which a plan replaces the certificate, such as `720` (30 days). " +
			"Set to `0` to replace it after it expires." +
			"\nIf unset, the certificate is never renewed. A plan that changes this value does not replace the certificate yet. If the " +
			"certificate is due, the next plan replaces it. Must be less than `validity_period_hours`. " +
			"Has no effect if `valid_until` is set, or if both `valid_after` and `validity_period_hours` are set. Can be updated in place. " +
			"Set `create_before_destroy`, so that the new certificate exists before the old one is deleted.",
		Validators: []validator.Int64{attribute.Between(0, attribute.MostHours)},
	},
	"ready_for_renewal": schema.BoolAttribute{
		Computed: true,
		Description: "Whether the certificate was due for renewal at the last refresh: fewer than `early_renewal_hours` remained until " +
			"`valid_until`. Based on the local clock. " +
			"`false` if `early_renewal_hours` is unset, and, after `early_renewal_hours` changes, until the next refresh.",
	},
	"certificate": schema.StringAttribute{
		CustomType:    pki.SSHCertificateType{},
		Computed:      true,
		Description:   "Signed certificate in OpenSSH authorized-keys format. Write it to the `HostCertificate` file of sshd.",
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	},
}

func create(provider *crud.Provider, plan, _ *model) api.SSHHostCertificateCreate {
	return api.SSHHostCertificateCreate{
		Details:                   plan.Details(),
		SSHCertificateAuthorityID: plan.SSHCertificateAuthorityID.ValueString(),
		PublicKey:                 pki.PublicKeyLine(plan.PublicKey.ValueString()),
		Principals:                attribute.TextType{}.Distinct(attribute.Strings(plan.Principals)),
		ValidAfter:                plan.ValidAfter.ValueString(),
		ValidUntil:                end(provider, plan).ValueString(),
	}
}

func update(plan *model) api.Details { return plan.Details() }

func fill(provider *crud.Provider, answer *api.SSHHostCertificate, m *model) {
	m.Object.Fill(&answer.Object)
	m.SSHCertificateAuthorityID = attribute.Fixed(m.SSHCertificateAuthorityID, answer.SSHCertificateAuthorityID)
	m.PublicKey = pki.PublicKeyType{}.Of(answer.PublicKey)
	m.KeyType = types.StringValue(string(answer.KeyType))
	m.Principals = attribute.PrincipalType{}.Fill(m.Principals, answer.Principals)
	m.ValidAfter = attribute.SSHTimeOf(answer.ValidAfter)
	m.ValidUntil = attribute.SSHTimeOf(answer.ValidUntil)
	m.Certificate = pki.SSHCertificateType{}.Of(answer.Certificate)
	m.ReadyForRenewal = types.BoolValue(ready(m, provider.Now()))
}
