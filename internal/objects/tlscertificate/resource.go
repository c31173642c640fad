// Package tlscertificate defines uploaded TLS certificates:
// tunnel_tls_certificate.
package tlscertificate

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes TLS certificates to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.TLSCertificate]{
	Kind:        api.TLSCertificates.Kind,
	Subcategory: "TLS",
	Schema:      resourceSchema,
	Keys:        crud.ObjectKey[model](api.TLSCertificates.Kind),
	Fill:        fill,
	Reading:     reading,
	Validate:    validate,
	Plan:        plan,
	NeedsPlan:   needsPlan,
	Operations:  crud.Collection(api.TLSCertificates, create, update),
})

type model struct {
	crud.Object
	CertificatePEM            pki.Chain           `tfsdk:"certificate_pem"`
	SubjectCommonName         types.String        `tfsdk:"subject_common_name"`
	SubjectAlternativeNames   types.Object        `tfsdk:"subject_alternative_names"`
	IssuedAt                  attribute.Timestamp `tfsdk:"issued_at"`
	NotBefore                 attribute.Timestamp `tfsdk:"not_before"`
	NotAfter                  attribute.Timestamp `tfsdk:"not_after"`
	KeyUsages                 types.List          `tfsdk:"key_usages"`
	ExtendedKeyUsages         types.List          `tfsdk:"extended_key_usages"`
	PrivateKeyType            types.String        `tfsdk:"private_key_type"`
	IssuerCommonName          types.String        `tfsdk:"issuer_common_name"`
	SerialNumber              types.String        `tfsdk:"serial_number"`
	SubjectOrganization       types.String        `tfsdk:"subject_organization"`
	SubjectOrganizationalUnit types.String        `tfsdk:"subject_organizational_unit"`
	SubjectLocality           types.String        `tfsdk:"subject_locality"`
	SubjectProvince           types.String        `tfsdk:"subject_province"`
	SubjectCountry            types.String        `tfsdk:"subject_country"`

	PrivateKeyPEM          pki.PrivateKey `tfsdk:"private_key_pem"`
	PrivateKeyPEMWO        pki.PrivateKey `tfsdk:"private_key_pem_wo"` // set in configurations only
	PrivateKeyPEMWOVersion types.Int64    `tfsdk:"private_key_pem_wo_version"`
}

// key returns the private key of a configuration and the path of its attribute.
func (m *model) key() (path.Path, pki.PrivateKey) {
	if m.PrivateKeyPEM.IsNull() {
		return woPath, m.PrivateKeyPEMWO
	}
	return keyPath, m.PrivateKeyPEM
}

func create(_ *crud.Provider, plan, config *model) api.TLSCertificateCreate {
	_, key := config.key()
	return api.TLSCertificateCreate{
		Details:        plan.Details(),
		CertificatePEM: pki.CanonicalChain(plan.CertificatePEM.ValueString()),
		PrivateKeyPEM:  pki.CanonicalPrivateKey(key.ValueString()),
	}
}

// update omits the private key, because it never changes without the
// certificate.
func update(plan *model) api.Details { return plan.Details() }

func fill(_ *crud.Provider, answer *api.TLSCertificate, m *model) {
	m.Object.Fill(&answer.Object)
	m.CertificatePEM = pki.ChainType{}.Of(answer.CertificatePEM)
	m.SubjectCommonName = types.StringValue(string(answer.SubjectCommonName))
	m.SubjectAlternativeNames = alternativeNames(answer.SubjectAlternativeNames)
	m.IssuedAt = attribute.TimestampType{}.Of(string(answer.IssuedAt))
	m.NotBefore = attribute.TimestampType{}.Of(string(answer.NotBefore))
	m.NotAfter = attribute.TimestampType{}.Of(string(answer.NotAfter))
	m.KeyUsages = sorted(answer.KeyUsages)
	m.ExtendedKeyUsages = sorted(answer.ExtendedKeyUsages)
	m.PrivateKeyType = types.StringValue(string(answer.PrivateKeyType))
	m.IssuerCommonName = types.StringValue(string(answer.IssuerCommonName))
	m.SerialNumber = types.StringValue(string(answer.SerialNumber))
	m.SubjectOrganization = types.StringValue(string(answer.SubjectOrganization))
	m.SubjectOrganizationalUnit = types.StringValue(string(answer.SubjectOrganizationalUnit))
	m.SubjectLocality = types.StringValue(string(answer.SubjectLocality))
	m.SubjectProvince = types.StringValue(string(answer.SubjectProvince))
	m.SubjectCountry = types.StringValue(string(answer.SubjectCountry))
}

var alternativeNamesTypes = map[string]attr.Type{
	"dns_names": types.ListType{ElemType: attribute.TextType{}},
	"ips":       types.ListType{ElemType: attribute.TextType{}},
}

func alternativeNames(names api.SANs) types.Object {
	return types.ObjectValueMust(alternativeNamesTypes, map[string]attr.Value{
		"dns_names": sorted(names.DNSNames),
		"ips":       sorted(names.IPs),
	})
}

func sorted(texts []string) types.List { return attribute.TextType{}.Fill(types.List{}, texts) }
