// Package sshcredential is public keys that may start tunnels through the
// service's SSH gateway: tunnel_ssh_credential.
package sshcredential

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes SSH credentials to Terraform.
var Kind = crud.Define(crud.Kind[model, api.SSHCredential]{
	Type: "ssh_credential",
	Noun: "SSH credential",
	Schema: schema.Schema{
		Description: "An SSH credential: a public key whose owner may start tunnels through the service's SSH gateway, for all that its ACL allows.",
		Attributes:  crud.ObjectAttributes("SSH credential", attributes),
	},
	Keys:    crud.ObjectKey(func(m *model) *crud.Object { return &m.Object }, "SSH credential", "sshcr_2abc"),
	Fill:    fill,
	Reading: reading,
	Operations: crud.Collection(
		func(client *api.Client, _ *model) *api.SSHCredentials { return client.SSHCredentials() },
		func(m *model) types.String { return m.ID },
		create, update,
	),
})

type model struct {
	crud.Object
	PublicKey attribute.PublicKey `tfsdk:"public_key"`
	ACL       types.Set           `tfsdk:"acl"`
	OwnerID   types.String        `tfsdk:"owner_id"`
}

var attributes = map[string]schema.Attribute{
	"public_key": schema.StringAttribute{
		CustomType: attribute.PublicKeyType{},
		Required:   true,
		Description: "The public key of the pair that the owner authenticates with, as one line in OpenSSH's authorized-keys format: the content of " +
			"~/.ssh/id_ed25519.pub, for instance. Of the type rsa, ecdsa or ed25519; no two credentials of an account have the same key. " +
			"Another key replaces the credential; another comment changes nothing.",
		Validators:    []validator.String{attribute.PublicKeyType{}.Valid()},
		PlanModifiers: []planmodifier.String{attribute.PublicKeyType{}.KeepSame(), stringplanmodifier.RequiresReplace()},
	},
	"acl": schema.SetAttribute{
		ElementType: types.StringType,
		Optional:    true,
		Description: "What tunnels of this credential may bind: rules such as bind:example.com, bind:*.example.com, bind:1.tcp.example.com:20001 or " +
			"bind:env=prod, where key and value may be *. Left out or empty, there are no restrictions; the rule * says the same. Changed in place; removing it lifts all restrictions.",
		Validators: []validator.Set{attribute.NoNulls, setvalidator.ValueStringsAre(attribute.ACLRule), effective{}},
	},
	"owner_id": schema.StringAttribute{
		Optional: true,
		Computed: true,
		Description: "Id of the User or Bot that owns the credential, such as usr_2abc. The owner of the API key by default; " +
			"only the API key of an admin may name somebody else. A change replaces the credential, without create_before_destroy only, since no key is in two credentials.",
		Validators:    []validator.String{attribute.NotEmpty},
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace()},
	},
}

func create(plan, _ *model) api.SSHCredentialCreate {
	return api.SSHCredentialCreate{
		Details:   plan.Details(),
		PublicKey: plan.PublicKey.ValueString(),
		ACL:       attribute.Strings(plan.ACL),
		OwnerID:   plan.OwnerID.ValueString(),
	}
}

func update(plan *model) api.SSHCredentialUpdate {
	return api.SSHCredentialUpdate{DetailsUpdate: plan.DetailsUpdate(), ACL: attribute.SortedStrings(plan.ACL)}
}

func fill(answer *api.SSHCredential, m *model) {
	m.Object.Fill(&answer.Object)
	m.PublicKey = attribute.PublicKeyType{}.Of(answer.PublicKey)
	m.ACL = attribute.OptionalACL(m.ACL, answer.ACL)
	m.OwnerID = types.StringValue(answer.OwnerID)
}
