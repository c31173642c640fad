// Package sshcertificateauthority defines the SSH certificate authorities that
// sign SSH host certificates: tunnel_ssh_certificate_authority.
package sshcertificateauthority

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Defaults of the service for a new authority.
const (
	defaultType  = "ed25519"
	defaultCurve = "p256"
	defaultSize  = 2048 // bits
)

// Kind describes SSH certificate authorities to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.SSHCertificateAuthority]{
	Kind:        api.SSHCertificateAuthorities.Kind,
	Subcategory: "SSH",
	Schema: schema.Schema{
		Description: "An SSH certificate authority. It signs SSH host certificates, so that clients that trust the authority do not need " +
			"the host key of each server. " +
			"The service creates the private key and never returns it.",
		Attributes: crud.ObjectAttributes(api.SSHCertificateAuthorities.Kind, attributes),
	},
	Keys: crud.ObjectKey[model](api.SSHCertificateAuthorities.Kind),
	InUse: "Delete these SSH host certificates first: a certificate cannot change its authority. " +
		"If this configuration contains them, set ssh_certificate_authority_id to a reference (such as " +
		"tunnel_ssh_certificate_authority.NAME.id), so that Terraform deletes them first.",
	Fill:       fill,
	Reading:    reading,
	Validate:   validate,
	Plan:       plan,
	Generated:  generated,
	Operations: crud.Collection(api.SSHCertificateAuthorities, create, update),
})

type model struct {
	crud.Object
	PublicKey      pki.PublicKey `tfsdk:"public_key"`
	KeyType        types.String  `tfsdk:"key_type"`
	PrivateKeyType types.String  `tfsdk:"private_key_type"`
	EllipticCurve  types.String  `tfsdk:"elliptic_curve"`
	KeySize        types.Int64   `tfsdk:"key_size"`
}

var keyTypes = []string{"ed25519", "ecdsa", "rsa"}

var attributes = map[string]schema.Attribute{
	"private_key_type": schema.StringAttribute{
		Optional: true,
		Computed: true,
		Description: "Type of the private key: `ed25519`, `ecdsa` or `rsa`.\nDefaults to `ed25519` for a new authority. " +
			"If unset, an existing authority keeps its type. Changing this forces a new resource to be created.",
		Validators:    attribute.UsuallyOneOf(keyTypes...),
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace()},
	},
	"elliptic_curve": schema.StringAttribute{
		Optional: true,
		Computed: true,
		Description: "Elliptic curve of an `ecdsa` key: `p256`, `p384` or `p521`. Null for other types.\nRequires `private_key_type = " +
			"\"ecdsa\"`. Defaults to `p256` for a new " +
			"`ecdsa` key. " +
			"If unset, an existing authority keeps its curve. Changing this forces a new resource to be created.",
		Validators:    attribute.UsuallyOneOf("p256", "p384", "p521"),
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace()},
	},
	"key_size": schema.Int64Attribute{
		Optional: true,
		Computed: true,
		Description: "Size of an `rsa` key in bits, such as `2048`. Null for other types.\nA new key has `2048` or `4096`. " +
			"Requires `private_key_type = \"rsa\"`. Defaults to `2048` for a new `rsa` key. " +
			"If unset, an existing authority keeps its size. Changing this forces a new resource to be created.",
		Validators:    []validator.Int64{attribute.LimitOneOf(2048, 4096)},
		PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown(), int64planmodifier.RequiresReplace()},
	},
	"public_key": schema.StringAttribute{
		CustomType: pki.PublicKeyType{},
		Computed:   true,
		Description: "Public key of the authority, as one line in OpenSSH authorized-keys format. " +
			"Clients trust it with a `@cert-authority` line in `known_hosts`.",
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	},
	"key_type": crud.Computed("Type of the public key: `ed25519`, `ecdsa` or `rsa`."),
}

// validate checks that the curve and size match the type of the key.
func validate(_ context.Context, config *model, diags *diag.Diagnostics) {
	if given := config.PrivateKeyType; attribute.IsKnown(given) && !slices.Contains(keyTypes, given.ValueString()) {
		return // nobody knows what a new type allows
	}
	only := func(name, keyType string, value attr.Value) {
		if attribute.IsKnown(value) && !config.PrivateKeyType.IsUnknown() && config.PrivateKeyType.ValueString() != keyType {
			diags.AddAttributeError(path.Root(name), "Invalid attribute combination",
				name+" is only valid with private_key_type = \""+keyType+"\". Set private_key_type to \""+keyType+"\", or remove "+name+".")
		}
	}
	only("elliptic_curve", "ecdsa", config.EllipticCurve)
	only("key_size", "rsa", config.KeySize)
}

// plan sets the defaults of a new key and what follows from its type, which a
// replacement would otherwise show as unknown.
func plan(_ context.Context, p *crud.Planning[*model]) {
	if p.State != nil {
		return
	}
	if p.Config.PrivateKeyType.IsNull() {
		p.Plan.PrivateKeyType = types.StringValue(defaultType)
	}
	keyType := p.Plan.PrivateKeyType
	if keyType.IsUnknown() {
		return
	}
	if slices.Contains(keyTypes, keyType.ValueString()) {
		p.Plan.KeyType = keyType
	}
	switch isECDSA := keyType.ValueString() == "ecdsa"; {
	case !isECDSA && p.Config.EllipticCurve.IsNull():
		p.Plan.EllipticCurve = types.StringNull()
	case p.Config.EllipticCurve.IsNull():
		p.Plan.EllipticCurve = types.StringValue(defaultCurve)
	}
	switch isRSA := keyType.ValueString() == "rsa"; {
	case !isRSA && p.Config.KeySize.IsNull():
		p.Plan.KeySize = types.Int64Null()
	case p.Config.KeySize.IsNull():
		p.Plan.KeySize = types.Int64Value(defaultSize)
	}
}

// generated removes the defaults of the service from a generated configuration.
func generated(m *model) {
	if m.EllipticCurve.ValueString() == defaultCurve {
		m.EllipticCurve = types.StringNull()
	}
	if m.KeySize.ValueInt64() == defaultSize {
		m.KeySize = types.Int64Null()
	}
	if m.PrivateKeyType.ValueString() == defaultType {
		m.PrivateKeyType = types.StringNull()
	}
}

func create(_ *crud.Provider, plan, _ *model) api.SSHCertificateAuthorityCreate {
	return api.SSHCertificateAuthorityCreate{
		Details:        plan.Details(),
		PrivateKeyType: plan.PrivateKeyType.ValueString(),
		EllipticCurve:  plan.EllipticCurve.ValueString(),
		KeySize:        plan.KeySize.ValueInt64(),
	}
}

func update(plan *model) api.Details { return plan.Details() }

// fill derives what is known of the private key from the public key, because
// the service does not return it. key_type is only informative. If the public
// key is unreadable, the known values stay.
func fill(_ *crud.Provider, answer *api.SSHCertificateAuthority, m *model) {
	m.Object.Fill(&answer.Object)
	m.PublicKey = pki.PublicKeyType{}.Of(answer.PublicKey)
	m.KeyType = types.StringValue(string(answer.KeyType))
	keyType, curve, bits := pki.PublicKeyParameters(answer.PublicKey)
	if keyType != "" || m.PrivateKeyType.IsUnknown() {
		m.PrivateKeyType = attribute.Optional(types.StringNull(), keyType)
	}
	if keyType != "" || m.EllipticCurve.IsUnknown() {
		m.EllipticCurve = attribute.Optional(types.StringNull(), curve)
	}
	if keyType != "" || m.KeySize.IsUnknown() {
		m.KeySize = types.Int64Null()
	}
	if bits > 0 {
		m.KeySize = types.Int64Value(int64(bits))
	}
}
