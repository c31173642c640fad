package tlscertificate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var resourceSchema = schema.Schema{
	Description: "A TLS certificate that you upload, for the service to serve on your domains.",
	Attributes: crud.ObjectAttributes("TLS certificate", map[string]schema.Attribute{
		"certificate_pem": schema.StringAttribute{
			CustomType: attribute.ChainType{},
			Required:   true,
			Description: "The chain of PEM-encoded certificates: the leaf first, then each certificate's issuer. At most 64 KiB. " +
				"Other certificates replace the TLS certificate; other line ends, line width or text around the blocks change nothing.",
			Validators:    []validator.String{attribute.ChainType{}.Valid()},
			PlanModifiers: []planmodifier.String{attribute.ChainType{}.KeepSame(), stringplanmodifier.RequiresReplace()},
		},
		"private_key_pem_wo": schema.StringAttribute{
			CustomType: attribute.PrivateKeyType{},
			Optional:   true,
			WriteOnly:  true, // and so in no state or plan; see TestSchema_oneSensitiveAttribute
			Description: "The leaf's private key, PEM-encoded (PKCS#8, PKCS#1 or SEC 1; not encrypted; rsa of 2048 bits or more, ecdsa or ed25519). Write-only: it goes to the service " +
				"when the certificate is created, and is never in a plan or in the state. Either this or private_key_pem is needed to create the certificate; " +
				"a certificate that was imported does without. A change is seen by private_key_pem_wo_version only. Needs Terraform 1.11 or newer.",
			Validators: []validator.String{attribute.PrivateKeyType{}.Valid()},
		},
		"private_key_pem_wo_version": schema.Int64Attribute{
			Optional: true,
			Description: "Version of private_key_pem_wo, a number of your own. Terraform does not see a write-only key change, so another version says that it did: " +
				"it replaces the certificate, even where nothing else changes. The first version that a certificate gets, after an import for instance, changes the state only.",
			PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplaceIf(otherVersion, newVersion, newVersion)},
		},
		"private_key_pem": schema.StringAttribute{
			CustomType: attribute.PrivateKeyType{},
			Optional:   true,
			Sensitive:  true,
			Description: "The leaf's private key, PEM-encoded, as private_key_pem_wo has it, for Terraform older than 1.11. It is stored in the state. " +
				"It never replaces the certificate by itself: a key that belongs to the leaf, in whatever encoding, changes the state at most, and another key is an error.",
			Validators:    []validator.String{attribute.PrivateKeyType{}.Valid(), stringvalidator.PreferWriteOnlyAttribute(path.MatchRoot("private_key_pem_wo"))},
			PlanModifiers: []planmodifier.String{attribute.PrivateKeyType{}.KeepSame()},
		},
		"subject_common_name":         crud.Computed("Common name of the leaf's subject."),
		"subject_organization":        crud.Computed("Organization of the leaf's subject; empty where it has none."),
		"subject_organizational_unit": crud.Computed("Organizational unit of the leaf's subject; empty where it has none."),
		"subject_locality":            crud.Computed("Locality of the leaf's subject; empty where it has none."),
		"subject_province":            crud.Computed("Province of the leaf's subject; empty where it has none."),
		"subject_country":             crud.Computed("Country of the leaf's subject; empty where it has none."),
		"issuer_common_name":          crud.Computed("Common name of the leaf's issuer."),
		"serial_number":               crud.Computed("Serial number of the leaf, as the service writes it: hexadecimal, commonly."),
		"private_key_type":            crud.Computed("Type of the leaf's key, found by the service: rsa, ecdsa or ed25519."),
		"subject_alternative_names": schema.SingleNestedAttribute{
			Computed:      true,
			Description:   "Other names than the common name that the leaf is valid for.",
			PlanModifiers: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
			Attributes: map[string]schema.Attribute{
				"dns_names": names("Domains that the leaf is valid for; a wildcard such as *.example.com among them covers one label."),
				"ips":       names("IP addresses that the leaf is valid for."),
			},
		},
		"issued_at":           crud.ComputedTime("Time at which the service issued the certificate automatically, in RFC 3339 notation; null for one that was uploaded."),
		"not_before":          crud.ComputedTime("Time from which the leaf is valid, in RFC 3339 notation."),
		"not_after":           crud.ComputedTime("Time after which the leaf is invalid, in RFC 3339 notation."),
		"key_usages":          names("What the leaf's key may be used for, as the service names it: digital_signature or key_encipherment, for instance."),
		"extended_key_usages": names("What else the leaf's key may be used for, as the service names it: server_auth or client_auth, for instance."),
	}),
}

const newVersion = "Another version of the write-only key replaces the certificate."

// otherVersion tells whether a version stands in the place of another one. The
// first one belongs to the key that the certificate has.
func otherVersion(_ context.Context, req planmodifier.Int64Request, resp *int64planmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !req.StateValue.IsNull() && !req.PlanValue.IsNull()
}

func names(description string) schema.SetAttribute {
	return schema.SetAttribute{
		ElementType:   types.StringType,
		Computed:      true,
		Description:   description,
		PlanModifiers: []planmodifier.Set{setplanmodifier.UseStateForUnknown()},
	}
}
