package apikey

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// This file keeps a promise: an API key for one run ends with the run. Terraform closes
// no ephemeral resource after an error or an interruption, so the provider deletes what
// is open when it ends.

// open has the deletion of each key that was not closed, by its id.
var open sync.Map

// DeleteOpen deletes the keys that Terraform has not closed. It takes less than the two
// seconds after which Terraform kills a provider.
func DeleteOpen() {
	ctx, cancel := context.WithTimeout(context.Background(), 1800*time.Millisecond)
	defer cancel()
	var all sync.WaitGroup
	open.Range(func(_, remove any) bool {
		all.Go(func() { _ = remove.(func(context.Context) error)(ctx) }) //nolint:forcetypeassert // as stored by Open
		return true
	})
	all.Wait()
}

// remove deletes a key, or finds out that it is already gone. A key that is seconds old
// is never gone: a replica may not know it yet, and its token would work on.
func remove(ctx context.Context, client *api.Client, key api.Identified) error {
	createdAt, _ := attribute.ParseTime(string(key.CreatedAt)) //nolint:errcheck // then its age is unknown
	_, err := api.APIKeys.Of(client).Delete(ctx, key.ID, createdAt)
	return err
}

// Ephemeral returns the ephemeral resource: an API key for one run.
func Ephemeral() ephemeral.EphemeralResource { return &ephemeralKey{} }

type ephemeralKey struct{ provider *crud.Provider }

var (
	_ ephemeral.EphemeralResourceWithConfigure = &ephemeralKey{}
	_ ephemeral.EphemeralResourceWithClose     = &ephemeralKey{}
)

type ephemeralModel struct {
	Enabled     types.Bool   `tfsdk:"enabled"`
	OwnerID     types.String `tfsdk:"owner_id"`
	Description types.String `tfsdk:"description"`
	ID          types.String `tfsdk:"id"`
	Token       types.String `tfsdk:"token"`
}

func (e *ephemeralKey) Metadata(_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = crud.Type(api.APIKeys.Kind)
}

func (e *ephemeralKey) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "An API key for the length of one run: Terraform creates it when something needs it, and deletes it at the end. Its token " +
			"is in no state, plan or log. If the run fails or is interrupted, the provider deletes the key before it ends. A key stays if the " +
			"provider is killed, or if the service refuses the deletion: find it by its `description`.",
		Attributes: map[string]schema.Attribute{
			"enabled": schema.BoolAttribute{
				Required: true,
				Description: "Whether to create the API key. Terraform opens ephemeral resources in plans, too: with `terraform.applying`, a plan " +
					"sends no request. If `false`, `id` and `token` are null.",
			},
			"owner_id": schema.StringAttribute{
				Optional: true,
				Description: "ID of the user or bot user that owns the API key, such as `" + api.BotUsers.Example() + "`. Defaults to the owner " +
					"of the API key that Terraform uses. Only the API key of an admin can set another owner.",
				Validators: crud.ID(owners...),
			},
			"description": schema.StringAttribute{
				Optional: true,
				Description: fmt.Sprintf("Human-readable description of the API key. The plan warns above %d bytes of UTF-8. ", crud.MaxDescription) +
					"Set it to something that " +
					"identifies the run, so that you can find a key that stayed.",
				Validators: []validator.String{attribute.UsuallyMaxBytes(crud.MaxDescription)},
			},
			"id":    schema.StringAttribute{Computed: true, Description: "ID of the API key, assigned by the service."},
			"token": schema.StringAttribute{Computed: true, Sensitive: true, Description: "Token, for the header `Authorization: Bearer TOKEN`."},
		},
	}
}

func (e *ephemeralKey) Configure(_ context.Context, req ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse) {
	e.provider, _ = req.ProviderData.(*crud.Provider)
}

// Open creates the key, with one request that is never repeated.
func (e *ephemeralKey) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var m ephemeralModel
	if resp.Diagnostics.Append(req.Config.Get(ctx, &m)...); resp.Diagnostics.HasError() {
		return
	}
	m.ID, m.Token = types.StringNull(), types.StringNull()
	if m.Enabled.ValueBool() {
		wanted := &model{OwnerID: m.OwnerID, StoreToken: types.BoolValue(true), Token: types.StringUnknown()}
		if wanted.Description = m.Description; m.OwnerID.IsNull() {
			wanted.OwnerID = types.StringUnknown()
		}
		wanted.ID, wanted.URI = types.StringUnknown(), types.StringUnknown()
		wanted.CreatedAt = attribute.Timestamp{StringValue: types.StringUnknown()}
		key, ok := Kind.CreateOnce(ctx, e.provider, wanted, &resp.Diagnostics).(*api.APIKey)
		if !ok {
			return
		}
		client := e.provider.Client
		open.Store(key.ID, func(ctx context.Context) error { return remove(ctx, client, key.Identified) })
		m.ID, m.Token = types.StringValue(key.ID), attribute.Optional(types.StringNull(), key.Token)
		if m.Token.IsNull() {
			resp.Diagnostics.AddError("Response without a token", fmt.Sprintf("The service created the API key %s, but its response does not "+
				"contain the token, which it does not show again. The provider deletes the key when it ends. Check what is between Terraform and "+
				"the service, and apply again.", key.ID))
			return
		}
		stored, _ := json.Marshal(key.Identified) //nolint:errchkjson // texts only
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, "key", stored)...)
	}
	resp.Diagnostics.Append(resp.Result.Set(ctx, m)...)
}

// Close deletes the key.
func (e *ephemeralKey) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	stored, diags := req.Private.GetKey(ctx, "key")
	resp.Diagnostics.Append(diags...)
	var key api.Identified
	if json.Unmarshal(stored, &key) != nil || e.provider == nil || e.provider.Client == nil { // nothing was created
		return
	}
	ctx, cancel := e.provider.Limit(ctx)
	defer cancel()
	if err := remove(ctx, e.provider.Client, key); err != nil {
		resp.Diagnostics.AddError("Could not delete the API key of this run", fmt.Sprintf("The request failed: %s. The token may still work: "+
			"make sure that the service has no API key %s.", err, key.ID))
		return
	}
	open.Delete(key.ID)
}
