// Package apikey defines API keys of the account: tunnel_api_key.
package apikey

import (
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

// Kind describes API keys to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.APIKey]{
	Kind:        api.APIKeys.Kind,
	Subcategory: "Access",
	Schema: schema.Schema{
		Description: "An API key of a user or bot user. The service shows its token only once, in the response to the creation, so the " +
			"configuration says where the token goes: with `token_recipient`, the state contains it only encrypted; with `store_token`, it " +
			"contains it in plain text. A new key needs exactly one of the two. " +
			"The API documentation does not describe API keys: this resource matches public services of this kind.",
		Attributes: crud.ObjectAttributes(api.APIKeys.Kind, attributes),
	},
	Keys: crud.ObjectKey[model](api.APIKeys.Kind),
	References: []crud.Reference[*model]{{
		Attribute: "owner_id", To: owners, Of: func(m *model) []string { return []string{m.OwnerID.ValueString()} },
		Hint: "Only the API key of an admin can set another owner. To use the owner of the API key, remove owner_id.",
	}},
	ShownOnce: "token",
	Fill:      fill,
	Reading: crud.Reading[*model, *api.APIKey]{
		Description:  "Reads an API key, without its token.",
		ResourceOnly: []string{"token_recipient", "store_token", "encrypted_token", "token"},
		Filters: crud.ObjectFilters[api.APIKey](
			crud.EqualFilter(
				"owner_id", "ID of a user or bot user, such as `"+api.BotUsers.Example()+"`. Returns the API keys that it owns.",
				func(o *api.APIKey) string { return o.OwnerID },
			),
		),
		Name: func(o *api.APIKey) string { return crud.DisplayName(o.ID, o.Description) },
	},
	Validate: validate,
	Plan:     plan,
	Stored:   stored,
	Operations: encryptsFirst(crud.Collection(api.APIKeys, func(_ *crud.Provider, plan, _ *model) api.APIKeyCreate {
		return api.APIKeyCreate{Details: plan.Details(), OwnerID: plan.OwnerID.ValueString()}
	}, func(plan *model) api.Details { return plan.Details() })),
})

var owners = []*api.Kind{api.UserKind, api.BotUsers.Kind}

type model struct {
	crud.Object
	OwnerID        types.String  `tfsdk:"owner_id"`
	TokenRecipient pki.Recipient `tfsdk:"token_recipient"`
	StoreToken     types.Bool    `tfsdk:"store_token"`
	EncryptedToken types.String  `tfsdk:"encrypted_token"`
	Token          types.String  `tfsdk:"token"`
}

const onChange = ", because the service does not show the token again. " +
	"While the state has no token, for example after an import, a change affects only the state, which still has none. "

var attributes = map[string]schema.Attribute{
	"owner_id": schema.StringAttribute{
		Optional: true,
		Computed: true,
		Description: "ID of the user or bot user that owns the API key, such as `" + api.BotUsers.Example() + "`.\nDefaults to the owner " +
			"of the API key that Terraform uses. Only the API key of an admin can set another owner. " +
			"An existing API key keeps its owner if this is removed, until it is replaced. " +
			"Changing this forces a new resource to be created.",
		Validators:    crud.ID(owners...),
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), attribute.ReplaceFixed},
	},
	"token_recipient": schema.StringAttribute{
		CustomType: pki.RecipientType{},
		Optional:   true,
		Description: "Who can decrypt `encrypted_token`: an age recipient, such as `age1…`, or an SSH public key of the type Ed25519 or RSA, " +
			"such as the content of `~/.ssh/id_ed25519.pub`.\nChanging this forces a new resource to be created" + onChange +
			"Changes of the comment are ignored. " +
			"Removing it removes `encrypted_token` from the state. A new key needs either this or `store_token = true`.",
		Validators:    []validator.String{pki.RecipientType{}.Valid()},
		PlanModifiers: []planmodifier.String{pki.RecipientType{}.KeepSame()},
	},
	"store_token": schema.BoolAttribute{
		Optional: true,
		Description: "Whether the state contains `token` in plain text.\nDefaults to `false`. A new key needs either `true` or " +
			"`token_recipient`. Changing this forces a new resource to be created if it replaces `token_recipient`" + onChange +
			"Setting it to `false`, or removing it, removes `token` from the state and keeps the API key.",
	},
	"encrypted_token": crud.Computed(
		"Token, encrypted for `token_recipient` as armored text. Decrypt it with the function `decrypt_token`, or with `age --decrypt`. " +
			"Null without `token_recipient`, and after an import.",
	),
	"token": schema.StringAttribute{
		Computed:      true,
		Sensitive:     true,
		Description:   "Token, for the header `Authorization: Bearer TOKEN`. Null without `store_token`, and after an import.",
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	},
}

// fill takes the token from the response to a creation only: it is planned as unknown
// then. A response to another request shows none, or perhaps a part of it.
func fill(_ *crud.Provider, answer *api.APIKey, m *model) {
	m.Object.Fill(&answer.Object)
	m.OwnerID = attribute.Fixed(m.OwnerID, answer.OwnerID)
	if m.Token.IsUnknown() {
		m.Token = attribute.Optional(types.StringNull(), answer.Token)
	}
	if m.EncryptedToken.IsUnknown() {
		m.EncryptedToken = types.StringNull()
		if encrypted, err := pki.Encrypt(answer.Token, m.TokenRecipient.ValueString()); err == nil && answer.Token != "" {
			m.EncryptedToken = types.StringValue(encrypted)
		}
	}
}
