// Package sshhostcertificate is SSH host keys signed by an SSH certificate
// authority: tunnel_ssh_host_certificate.
package sshhostcertificate

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes SSH host certificates to Terraform.
var Kind = crud.Define(crud.Kind[model, api.SSHHostCertificate]{
	Type: "ssh_host_certificate",
	Noun: "SSH host certificate",
	Schema: schema.Schema{
		Description: "An SSH host certificate: a server's public key, signed by an SSH certificate authority of the account, " +
			"so that clients who trust the authority need not know the server's key.",
		Attributes: crud.ObjectAttributes("SSH host certificate", attributes),
	},
	Keys:     crud.ObjectKey(func(m *model) *crud.Object { return &m.Object }, "SSH host certificate", "shcrt_2abc"),
	Fill:     fill,
	Reading:  reading,
	Validate: validate,
	Plan:     plan,
	Observe:  observe,
	Settle:   settle,
	Operations: crud.Collection(
		func(client *api.Client, _ *model) *api.SSHHostCertificates { return client.SSHHostCertificates() },
		func(m *model) types.String { return m.ID },
		create, update,
	),
})

type model struct {
	crud.Object
	SSHCertificateAuthorityID types.String             `tfsdk:"ssh_certificate_authority_id"`
	PublicKey                 attribute.PublicKey      `tfsdk:"public_key"`
	KeyType                   types.String             `tfsdk:"key_type"`
	Principals                types.Set                `tfsdk:"principals"`
	ValidAfter                attribute.Timestamp      `tfsdk:"valid_after"`
	ValidUntil                attribute.Timestamp      `tfsdk:"valid_until"`
	Certificate               attribute.SSHCertificate `tfsdk:"certificate"`

	EarlyRenewalHours types.Int64 `tfsdk:"early_renewal_hours"`
	ReadyForRenewal   types.Bool  `tfsdk:"ready_for_renewal"`
}

var attributes = map[string]schema.Attribute{
	"ssh_certificate_authority_id": schema.StringAttribute{
		Required:      true,
		Description:   "Id of the SSH certificate authority that signs the certificate, such as sshca_2abc. A change replaces the certificate.",
		Validators:    []validator.String{attribute.NotEmpty},
		PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
	},
	"public_key": schema.StringAttribute{
		CustomType: attribute.PublicKeyType{},
		Required:   true,
		Description: "The server's public host key that the certificate signs, as one line in OpenSSH's authorized-keys format: the content of " +
			"/etc/ssh/ssh_host_ed25519_key.pub, for instance. Of the type rsa, ecdsa or ed25519. Another key replaces the certificate; another comment changes nothing.",
		Validators:    []validator.String{attribute.PublicKeyType{}.Valid()},
		PlanModifiers: []planmodifier.String{attribute.PublicKeyType{}.KeepSame(), stringplanmodifier.RequiresReplace()},
	},
	"key_type": crud.Computed("Type of the public key, found by the service: rsa, ecdsa or ed25519."),
	"principals": schema.SetAttribute{
		ElementType: types.StringType,
		Optional:    true,
		Description: "Host names (wildcards are allowed) and IP addresses that may serve SSH with the certificate, without ports. " +
			"Left out or empty, the certificate is valid for all hosts, of which the plan warns. A change replaces the certificate.",
		Validators:    []validator.Set{attribute.NoNulls, setvalidator.ValueStringsAre(attribute.Principal)},
		PlanModifiers: []planmodifier.Set{setplanmodifier.RequiresReplaceIf(attribute.OtherElements, "Other principals need a new certificate.", "Other principals need a new certificate.")},
	},
	"valid_after": schema.StringAttribute{
		CustomType:  attribute.TimestampType{},
		Optional:    true,
		Computed:    true,
		Description: "Time from which the certificate is valid, in RFC 3339 notation, to the second. The time of its creation by default. Another instant replaces the certificate; another offset changes nothing.",
		Validators:  []validator.String{attribute.TimestampType{}.Valid(), attribute.SSHTime},
		PlanModifiers: []planmodifier.String{
			attribute.TimestampType{}.KeepSame(), stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace(),
		},
	},
	"valid_until": schema.StringAttribute{
		CustomType: attribute.TimestampType{},
		Optional:   true,
		Computed:   true,
		Description: "Time after which the certificate is invalid, in RFC 3339 notation, to the second. One year after its creation by default. " +
			"In the future where a certificate is to be made. Another instant replaces the certificate; another offset changes nothing.",
		Validators: []validator.String{attribute.TimestampType{}.Valid(), attribute.SSHTime},
		PlanModifiers: []planmodifier.String{
			attribute.TimestampType{}.KeepSame(), stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace(),
		},
	},
	"early_renewal_hours": schema.Int64Attribute{
		Optional: true,
		Description: "How many hours before valid_until the certificate is due for renewal: from then on a plan replaces it, with create_before_destroy before the old one is deleted. " +
			"0 is at its end. Left out, it is never renewed. Renewal needs valid_until to be left out, so that each new certificate is valid for another year; " +
			"where it is written down and has come within the hours, the plan is an error. Changed in place.",
		Validators: []validator.Int64{int64validator.Between(0, attribute.MostHours)},
	},
	"ready_for_renewal": schema.BoolAttribute{
		Computed: true,
		Description: "Whether the certificate is due for renewal, by the clock of the machine that runs Terraform at the last refresh: less than early_renewal_hours are left until valid_until. " +
			"False where early_renewal_hours is left out.",
	},
	"certificate": schema.StringAttribute{
		CustomType:    attribute.SSHCertificateType{},
		Computed:      true,
		Description:   "The signed certificate in OpenSSH's authorized-keys format. Store it in a file that sshd_config names as HostCertificate.",
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	},
}

func create(plan, _ *model) api.SSHHostCertificateCreate {
	return api.SSHHostCertificateCreate{
		Details:                   plan.Details(),
		SSHCertificateAuthorityID: plan.SSHCertificateAuthorityID.ValueString(),
		PublicKey:                 plan.PublicKey.ValueString(),
		Principals:                attribute.Strings(plan.Principals),
		ValidAfter:                plan.ValidAfter.ValueString(),
		ValidUntil:                plan.ValidUntil.ValueString(),
	}
}

func update(plan *model) api.DetailsUpdate { return plan.DetailsUpdate() }

func fill(answer *api.SSHHostCertificate, m *model) {
	m.Object.Fill(&answer.Object)
	m.SSHCertificateAuthorityID = types.StringValue(answer.SSHCertificateAuthorityID)
	m.PublicKey = attribute.PublicKeyType{}.Of(answer.PublicKey)
	m.KeyType = types.StringValue(answer.KeyType)
	m.Principals = attribute.OptionalSet(m.Principals, answer.Principals)
	m.ValidAfter = attribute.TimestampType{}.Of(answer.ValidAfter)
	m.ValidUntil = attribute.TimestampType{}.Of(answer.ValidUntil)
	m.Certificate = attribute.SSHCertificateType{}.Of(answer.Certificate)
}
