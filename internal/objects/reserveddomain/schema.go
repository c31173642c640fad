package reserveddomain

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var resourceSchema = schema.Schema{
	Description: "A reserved domain. TLS and HTTPS edges of the account can serve it. A TLS certificate comes into use as the " +
		"certificate of a reserved domain. " +
		crud.ReplaceInUse("a domain") +
		" The API documentation does not describe reserved domains: this resource matches public services of this kind.",
	Attributes: crud.ObjectAttributes(api.ReservedDomains.Kind, map[string]schema.Attribute{
		"domain": schema.StringAttribute{
			CustomType: attribute.DomainType{},
			Required:   true,
			Description: "Domain, such as `www.example.com` or `*.example.com`.\nA wildcard covers one label, and not `example.com` itself. " +
				"Case-insensitive, in Unicode or punycode. Changing this forces a new resource to be created.",
			Validators:    attribute.DomainName,
			PlanModifiers: []planmodifier.String{attribute.DomainType{}.KeepSame(), stringplanmodifier.RequiresReplace()},
		},
		"certificate_id": schema.StringAttribute{
			Optional: true,
			Description: "ID of the TLS certificate for the domain, such as `" + api.TLSCertificates.Example() + "`.\nConflicts with " +
				"`certificate_management_policy`. " +
				"If neither is set, the domain has no certificate: removing this removes the certificate from the domain. If the " +
				"certificate does not cover the domain, the plan that sets or changes either warns. If the certificate is new, the apply " +
				"warns instead. Can be updated in place.",
			Validators: crud.ID(api.TLSCertificates.Kind),
		},
		"certificate_management_policy": schema.SingleNestedAttribute{
			Optional: true,
			Description: "Lets the service get a certificate for the domain and renew it, such as `{ authority = \"letsencrypt\" }`. " +
				"The certificate can appear later than the domain." +
				"\nConflicts with `certificate_id`. Can be updated in place.",
			Attributes: map[string]schema.Attribute{
				"authority": schema.StringAttribute{
					Required:    true,
					Description: "Certificate authority. Public services of this kind support `letsencrypt`.",
					Validators:  []validator.String{attribute.NotEmpty, attribute.Authority},
				},
				"private_key_type": schema.StringAttribute{
					Optional:    true,
					Computed:    true,
					Default:     stringdefault.StaticString("ecdsa"),
					Description: "Type of the private key: `ecdsa` or `rsa`.\nDefaults to `ecdsa`.",
					Validators:  attribute.UsuallyOneOf("ecdsa", "rsa"),
				},
			},
		},
		"cname_target": crud.Computed(
			"Target of the CNAME record for the domain. Null for a domain under the domain of the service, which needs no record.",
		),
		"certificate": schema.SingleNestedAttribute{
			Computed: true,
			Description: "The TLS certificate in use. With `certificate_management_policy`, it changes when the service renews it. " +
				"Null if there is none.",
			Attributes: map[string]schema.Attribute{
				"id":  schema.StringAttribute{Computed: true, Description: "ID of the TLS certificate."},
				"uri": schema.StringAttribute{Computed: true, Description: "URI of the TLS certificate in the API."},
			},
		},
		"certificate_management_status": schema.SingleNestedAttribute{
			Computed:    true,
			Description: "State of the certificate that the service gets. Null without `certificate_management_policy`.",
			Attributes: map[string]schema.Attribute{
				"renews_at": timestamp("Time when the service renews the certificate, in RFC 3339 format. Null if there is no certificate yet."),
				"provisioning_job": schema.SingleNestedAttribute{
					Computed:    true,
					Description: "The attempt to get a certificate. Null if there is none.",
					Attributes: map[string]schema.Attribute{
						"error_code": schema.StringAttribute{Computed: true, Description: "Code of the last error. Null if there is none."},
						"msg":        schema.StringAttribute{Computed: true, Description: "Human-readable status or error message."},
						"started_at": timestamp("Start of the attempt, in RFC 3339 format."),
						"retries_at": timestamp("Time of the next attempt, in RFC 3339 format. Null if none is planned."),
					},
				},
			},
		},
		"acme_challenge_cname_target": schema.StringAttribute{
			Computed: true,
			Description: "Target of the CNAME record for `_acme-challenge`, which the service needs to get a certificate for a wildcard " +
				"domain. Null if it is not needed.",
		},
	}),
}

func timestamp(description string) schema.StringAttribute {
	return schema.StringAttribute{CustomType: attribute.TimestampType{}, Computed: true, Description: description}
}

// typesOf returns the types of the attributes of a nested attribute.
func typesOf(nested schema.Attribute) map[string]attr.Type {
	object, _ := nested.GetType().(types.ObjectType)
	return object.AttrTypes
}

var (
	policyTypes      = typesOf(resourceSchema.Attributes["certificate_management_policy"])
	certificateTypes = typesOf(resourceSchema.Attributes["certificate"])
	statusTypes      = typesOf(resourceSchema.Attributes["certificate_management_status"])
)

// policy returns the policy of a model for a request, nil if there is none.
func policy(object types.Object) *api.CertificatePolicy {
	if object.IsNull() {
		return nil
	}
	text := func(name string) string {
		value, _ := object.Attributes()[name].(types.String)
		return value.ValueString()
	}
	return &api.CertificatePolicy{Authority: text("authority"), PrivateKeyType: text("private_key_type")}
}

func fill(_ *crud.Provider, answer *api.ReservedDomain, m *model) {
	m.Object.Fill(&answer.Object)
	m.Domain = attribute.DomainType{}.Of(answer.Domain)
	m.CNAMETarget = attribute.Optional(types.StringNull(), string(answer.CNAMETarget))
	m.CertificateID = attribute.Optional(types.StringNull(), answer.CertificateID())
	m.CertificateManagementPolicy = types.ObjectNull(policyTypes)
	if p := answer.Policy(); p != nil {
		m.CertificateManagementPolicy = types.ObjectValueMust(policyTypes, map[string]attr.Value{
			"authority": types.StringValue(p.Authority), "private_key_type": types.StringValue(p.PrivateKeyType),
		})
	}
	m.Certificate = types.ObjectNull(certificateTypes)
	if c := answer.Certificate; c.ID != "" {
		m.Certificate = types.ObjectValueMust(
			certificateTypes, map[string]attr.Value{"id": types.StringValue(c.ID), "uri": types.StringValue(string(c.URI))},
		)
	}
	m.CertificateManagementStatus = status(&answer.CertificateManagementStatus)
	m.ACMEChallengeCNAMETarget = attribute.Optional(types.StringNull(), string(answer.ACMEChallengeCNAMETarget))
}

func status(answer *api.CertificateStatus) types.Object {
	if !answer.Present {
		return types.ObjectNull(statusTypes)
	}
	jobType, _ := statusTypes["provisioning_job"].(types.ObjectType)
	job := types.ObjectNull(jobType.AttrTypes)
	if j := answer.ProvisioningJob; j.Present {
		job = types.ObjectValueMust(jobType.AttrTypes, map[string]attr.Value{
			"error_code": attribute.Optional(types.StringNull(), string(j.ErrorCode)),
			"msg":        types.StringValue(string(j.Message)),
			"started_at": attribute.TimestampType{}.Of(string(j.StartedAt)),
			"retries_at": attribute.TimestampType{}.Of(string(j.RetriesAt)),
		})
	}
	return types.ObjectValueMust(statusTypes, map[string]attr.Value{
		"renews_at": attribute.TimestampType{}.Of(string(answer.RenewsAt)), "provisioning_job": job,
	})
}
