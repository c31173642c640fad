package apikey

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

var (
	recipientPath = path.Root("token_recipient")
	storePath     = path.Root("store_token")
)

const choices = "token_recipient to an age recipient or an SSH public key, so that the state contains the token only encrypted, or " +
	"store_token to true, so that the state contains it in plain text"

func validate(_ context.Context, config *model, diags *diag.Diagnostics) {
	if config.StoreToken.ValueBool() && attribute.IsKnown(config.TokenRecipient) {
		diags.AddAttributeError(storePath, "Conflicting arguments store_token and token_recipient",
			"Expected one of store_token and token_recipient; found both. Remove store_token: with token_recipient, the state contains the "+
				"token only encrypted.")
	}
}

// plan plans where the token of a new key goes, and a new key if another place is
// chosen for a token that the state contains.
func plan(_ context.Context, p *crud.Planning[*model]) {
	stores, encrypts := types.BoolValue(p.Plan.StoreToken.ValueBool()), types.BoolValue(!p.Plan.TokenRecipient.IsNull())
	if p.Plan.StoreToken.IsUnknown() {
		stores = types.BoolUnknown()
	}
	wanted := !stores.Equal(types.BoolValue(false)) || encrypts.ValueBool()
	if p.State == nil {
		if !wanted {
			p.Diagnostics.AddAttributeError(recipientPath, "Missing place for the token",
				"The service shows the token of an API key only once, when the key is created. Set "+choices+". "+
					"An imported API key needs neither."+crud.DuringDestroy)
		}
		p.Plan.Token, p.Plan.EncryptedToken = types.StringNull(), types.StringNull()
		if !stores.Equal(types.BoolValue(false)) {
			p.Plan.Token = types.StringUnknown()
		}
		if encrypts.ValueBool() {
			p.Plan.EncryptedToken = types.StringUnknown()
		}
		return
	}
	unknown := p.Plan.StoreToken.IsUnknown()
	storesElse := !unknown && p.Plan.StoreToken.ValueBool() != p.State.StoreToken.ValueBool()
	encryptsElse := !p.Plan.TokenRecipient.Equal(p.State.TokenRecipient)
	if p.Plan.TokenRecipient.IsUnknown() && p.Plan.StoreToken.ValueBool() {
		encryptsElse = !p.State.TokenRecipient.IsNull() // only null is valid beside store_token
	}
	held := !p.State.Token.IsNull() || !p.State.EncryptedToken.IsNull()
	switch {
	case !storesElse && !encryptsElse: // if unknown, any value keeps the key
		if unknown && !p.State.Token.IsNull() {
			p.Plan.Token = types.StringUnknown()
		}
	case unknown && held:
		p.Diagnostics.AddAttributeError(storePath, "Unknown place for the token",
			"token_recipient changes, and the value of store_token is known only after apply, so this plan cannot tell whether the API key is "+
				"replaced. Write the value of store_token in the configuration, or first apply the resource that produces it "+
				"(terraform apply -target=ADDRESS).")
	case !wanted:
		p.Plan.Token, p.Plan.EncryptedToken = types.StringNull(), types.StringNull()
	case !held:
		p.Diagnostics.AddAttributeWarning(recipientPath, fmt.Sprintf("The token of %s is unknown", p.State.ID.ValueString()),
			"The state has no token of this API key and will get none, because the service does not show it again. "+
				"To get a key with a known token, replace it: terraform apply -replace=ADDRESS.")
	default:
		if storesElse {
			p.Replace = append(p.Replace, storePath)
		}
		if encryptsElse {
			p.Replace = append(p.Replace, recipientPath)
		}
	}
}

// encryptsFirst encrypts on trial before a key is created, because the token is lost if
// it cannot be encrypted. A recipient may have been unknown while planning.
func encryptsFirst(operations crud.Operations[*model, *api.APIKey]) crud.Operations[*model, *api.APIKey] {
	create := operations.Create
	operations.Create = func(ctx context.Context, provider *crud.Provider, plan, config *model) (*api.APIKey, error) {
		if !plan.TokenRecipient.IsNull() {
			if _, err := pki.Encrypt("", plan.TokenRecipient.ValueString()); err != nil {
				return nil, fmt.Errorf("no API key was created, because its token could not be encrypted: token_recipient %w", err)
			}
		}
		return create(ctx, provider, plan, config)
	}
	return operations
}

// stored adds an error for a new key without a token. Terraform replaces it with the
// next apply.
func stored(stored, _ *model, diags *diag.Diagnostics) {
	missing := stored.StoreToken.ValueBool() && stored.Token.IsNull()
	if missing || !stored.TokenRecipient.IsNull() && stored.EncryptedToken.IsNull() {
		diags.AddError("Response without a token", fmt.Sprintf(
			"The service created the API key %s, but its response does not contain the token, which it does not show again. The next apply "+
				"replaces the key. If it fails in the same way, check what is between Terraform and the service.", stored.ID.ValueString()))
	}
}
