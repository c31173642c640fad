package tlscertificate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var resourceSchema = schema.Schema{
	Description: "An uploaded TLS certificate. To use it, set `certificate_id` of a `tunnel_reserved_domain`. " +
		crud.ReplaceInUse("a certificate"),
	Attributes: crud.ObjectAttributes(api.TLSCertificates.Kind, privateKey.Add(map[string]schema.Attribute{
		"certificate_pem": schema.StringAttribute{
			CustomType: pki.ChainType{},
			Required:   true,
			Description: "Chain of PEM-encoded certificates: the leaf certificate first, followed by each issuer. At most 64 KiB without text " +
				"between the blocks, which is not sent." +
				"\nChanging the certificates forces a new resource to be created. Changes of line endings, indentation, text between the blocks, or " +
				"whether the self-signed root is included are ignored.",
			Validators:    []validator.String{pki.ChainType{}.Valid(), pki.Uploadable},
			PlanModifiers: []planmodifier.String{pki.ChainType{}.KeepSame(), stringplanmodifier.RequiresReplace()},
		},
		"subject_common_name":         crud.Computed("Subject common name of the leaf certificate."),
		"subject_organization":        crud.Computed("Subject organization of the leaf certificate. Empty if there is none."),
		"subject_organizational_unit": crud.Computed("Subject organizational unit of the leaf certificate. Empty if there is none."),
		"subject_locality":            crud.Computed("Subject locality of the leaf certificate. Empty if there is none."),
		"subject_province":            crud.Computed("Subject province of the leaf certificate. Empty if there is none."),
		"subject_country":             crud.Computed("Subject country of the leaf certificate. Empty if there is none."),
		"issuer_common_name":          crud.Computed("Issuer common name of the leaf certificate."),
		"serial_number":               crud.Computed("Serial number of the leaf certificate, as returned by the service, usually hexadecimal."),
		"private_key_type":            crud.Computed("Key type of the leaf certificate: `rsa`, `ecdsa` or `ed25519`."),
		"subject_alternative_names": schema.SingleNestedAttribute{
			Computed:      true,
			Description:   "Subject alternative names of the leaf certificate.",
			PlanModifiers: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
			Attributes: map[string]schema.Attribute{
				"dns_names": names("Domains that the certificate is valid for. A wildcard such as `*.example.com` covers one label."),
				"ips":       names("IP addresses that the certificate is valid for."),
			},
		},
		"issued_at": crud.ComputedTime(
			"Time when the service issued the certificate automatically, in RFC 3339 format. Null for an uploaded certificate.",
		),
		"not_before": crud.ComputedTime("Start of the validity period of the leaf certificate, in RFC 3339 format."),
		"not_after":  crud.ComputedTime("End of the validity period of the leaf certificate, in RFC 3339 format."),
		"key_usages": names("Key usages of the leaf certificate, as returned by the service, such as `digital_signature` or `key_encipherment`."),
		"extended_key_usages": names(
			"Extended key usages of the leaf certificate, as returned by the service, such as `server_auth` or `client_auth`.",
		),
	})),
}

var privateKey = crud.Secret{
	Name: "private_key_pem", Title: "private key",
	CustomType: pki.PrivateKeyType{},
	Validators: []validator.String{pki.PrivateKeyType{}.Valid()},
	Description: "Private key of the leaf certificate, PEM-encoded (PKCS#8, PKCS#1, SEC 1 or OpenSSH; not encrypted; RSA with at least 2048 " +
		"bits, ECDSA or Ed25519).",
	Sent:           "when the certificate is created",
	Needed:         "An imported certificate does not need a key. A new `certificate_pem` sends the new key, too.",
	PlainChange:    "Must match the leaf certificate. Can be updated in place: only the state changes.",
	PlainModifiers: []planmodifier.String{pki.PrivateKeyType{}.KeepSame()},
	VersionChange: "Changing this forces a new resource to be created. " +
		"Setting it for the first time, for example after an import, or removing it updates only the state.",
	VersionModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplaceIf(otherVersion, newVersion, newVersion)},
}

const newVersion = "A new version of the write-only key replaces the certificate."

// otherVersion requires a replacement if the version changes. Setting the first
// version does not, because it belongs to the key of the existing certificate.
func otherVersion(_ context.Context, req planmodifier.Int64Request, resp *int64planmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !req.StateValue.IsNull() && !req.PlanValue.IsNull()
}

func names(description string) schema.ListAttribute {
	return schema.ListAttribute{
		ElementType:   attribute.TextType{},
		Computed:      true,
		Description:   description,
		PlanModifiers: []planmodifier.List{listplanmodifier.UseStateForUnknown()},
	}
}
