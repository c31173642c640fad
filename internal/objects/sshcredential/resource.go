// Package sshcredential defines public keys that can start tunnels through the
// SSH gateway of the service: tunnel_ssh_credential.
package sshcredential

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes SSH credentials to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.SSHCredential]{
	Kind:        api.SSHCredentials.Kind,
	Subcategory: "SSH",
	Schema: schema.Schema{
		Description: "An SSH credential: an SSH public key for starting tunnels through the SSH gateway of the service, within the limits " +
			"of its `acl`.",
		Attributes: crud.ObjectAttributes(api.SSHCredentials.Kind, attributes),
	},
	Keys: crud.ObjectKey[model](api.SSHCredentials.Kind),
	References: []crud.Reference[*model]{{
		Attribute: "owner_id", To: owners, Of: func(m *model) []string { return []string{m.OwnerID.ValueString()} },
		Hint: "Only the API key of an admin can set another owner. To use the owner of the API key, remove owner_id.",
	}},
	NaturalKey: "public_key",
	Fill:       fill,
	Reading:    reading,
	Plan:       plan,
	Operations: crud.Collection(api.SSHCredentials, create, update),
})

var owners = []*api.Kind{api.UserKind, api.BotUsers.Kind}

type model struct {
	crud.Object
	PublicKey pki.CredentialKey `tfsdk:"public_key"`
	ACL       types.List        `tfsdk:"acl"`
	OwnerID   types.String      `tfsdk:"owner_id"`
}

var attributes = map[string]schema.Attribute{
	"public_key": schema.StringAttribute{
		CustomType: pki.CredentialKeyType{},
		Required:   true,
		Description: "SSH public key that the owner authenticates with, as one line in OpenSSH authorized-keys format, such as the content " +
			"of `~/.ssh/id_ed25519.pub`, or in PEM or RFC 4716 format. " +
			"The type must be RSA with at least 2048 bits, ECDSA or Ed25519, or a FIDO security key (`sk-ssh-ed25519@openssh.com` or " +
			"`sk-ecdsa-sha2-nistp256@openssh.com`). Each key can be used in only one credential of the account." +
			"\nChanging this forces a new resource to be created. Changes of the comment are ignored.",
		Validators:    []validator.String{pki.CredentialKeyType{}.Valid(), pki.CredentialKeyStrength},
		PlanModifiers: []planmodifier.String{pki.CredentialKeyType{}.KeepSame(), stringplanmodifier.RequiresReplace()},
	},
	"acl": schema.ListAttribute{
		ElementType: attribute.ACLRuleType{},
		Optional:    true,
		Description: "ACL rules that restrict the domains, addresses and labels that tunnels of this credential can bind, such as " +
			"`bind:example.com`, `bind:*.example.com`, `bind:1.tcp.example.com:20001` or " +
			"`bind:env=prod`, where key and value can be `*`.\nIf unset, empty or `[\"*\"]`, there are no restrictions. " +
			"The order of the rules and repeated rules have no meaning. " +
			"Domains are case-insensitive and can be in Unicode or punycode, labels are case-sensitive. " +
			"Can be updated in place. Warning: removing `acl` removes all restrictions.",
		Validators:    []validator.List{attribute.NoNulls, listvalidator.ValueStringsAre(attribute.ACLRules...), effective{}},
		PlanModifiers: []planmodifier.List{attribute.KeepSameACL()},
	},
	"owner_id": schema.StringAttribute{
		Optional: true,
		Computed: true,
		Description: "ID of the user or bot user that owns the credential, such as `" + api.BotUsers.Example() + "`.\nDefaults to the owner " +
			"of the API key. An existing credential keeps its owner if `owner_id` is removed, until it is replaced. " +
			"Only the API key of an admin can set another owner. Changing this forces a new resource to be created. " +
			"To change it, do not set `create_before_destroy`: two credentials cannot have the same key.",
		Validators:    crud.ID(owners...),
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), attribute.ReplaceFixed},
	},
}

func create(_ *crud.Provider, plan, _ *model) api.SSHCredentialCreate {
	return api.SSHCredentialCreate{
		Details:   plan.Details(),
		PublicKey: pki.PublicKeyLine(plan.PublicKey.ValueString()),
		ACL:       rules(plan),
		OwnerID:   plan.OwnerID.ValueString(),
	}
}

func update(plan *model) api.SSHCredentialUpdate {
	return api.SSHCredentialUpdate{Details: plan.Details(), ACL: rules(plan)}
}

// rules returns the rules of an ACL for a request. The result is never nil.
func rules(plan *model) []string {
	return attribute.AllASCII(attribute.ACLRuleType{}.Distinct(attribute.Strings(plan.ACL)))
}

func fill(_ *crud.Provider, answer *api.SSHCredential, m *model) {
	m.Object.Fill(&answer.Object)
	m.PublicKey = pki.CredentialKeyType{}.Of(answer.PublicKey)
	m.ACL = attribute.OptionalACL(m.ACL, answer.ACL)
	m.OwnerID = attribute.Fixed(m.OwnerID, answer.OwnerID)
}
