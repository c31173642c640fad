// Package action implements the provider's actions. They send only GET requests: each
// waits until an object is ready.
package action

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// All lists the constructors of all actions.
var All = []func() action.Action{
	func() action.Action { return &wait{waiting: forCertificate} },
	func() action.Action { return &wait{waiting: forTunnels} },
}

const (
	interval       = 2 * time.Second
	defaultTimeout = 20 * time.Minute
)

// waiting is what an action waits for.
type waiting struct {
	name, description string
	kind              *api.Kind // of the object
	id                string    // attribute that has its id
	attributes        map[string]schema.Attribute
	// look reads the object once. shown says what it is now, for people.
	look func(ctx context.Context, client *api.Client, id string, config tfsdk.Config) (shown string, done bool, err error)
}

type wait struct {
	waiting
	provider *crud.Provider
}

var _ action.ActionWithConfigure = &wait{}

func (w *wait) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + w.name
}

func (w *wait) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		w.id: schema.StringAttribute{
			Required:    true,
			Description: "ID of the " + w.kind.Noun + ", such as `" + w.kind.Example() + "`.",
			Validators:  []validator.String{attribute.AnyID},
		},
		"timeout": schema.StringAttribute{
			Optional:    true,
			Description: "Maximum duration of the wait, such as `90s` or `10m`. After it, the action fails. Defaults to `20m`.",
			Validators:  []validator.String{attribute.Duration},
		},
	}
	maps.Copy(attributes, w.attributes)
	resp.Schema = schema.Schema{Description: w.description, Attributes: attributes}
}

func (w *wait) Configure(_ context.Context, req action.ConfigureRequest, _ *action.ConfigureResponse) {
	w.provider, _ = req.ProviderData.(*crud.Provider)
}

// Invoke reads the object until it is ready, and tells what it is each time that this
// changes. An object that does not exist is an error at once.
func (w *wait) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var id, timeout types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(w.id), &id)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("timeout"), &timeout)...)
	client := w.provider.ClientFor(w.kind, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	limit := attribute.DurationOf(timeout, defaultTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it was not ready within %s (timeout)", limit))
	defer cancel()
	last := ""
	for {
		shown, done, err := w.look(ctx, client, id.ValueString(), req.Config)
		if done {
			return
		}
		if err == nil && shown != last {
			resp.SendProgress(action.InvokeProgressEvent{Message: shown})
			last = shown
		}
		if err == nil {
			select {
			case <-time.After(interval):
				continue
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if last != "" {
			err = fmt.Errorf("%w. The last response: %s", err, last)
		}
		text := err.Error() + "."
		resp.Diagnostics.AddAttributeError(path.Root(w.id), "Error waiting for "+w.kind.Noun+" "+api.ShortID(id.ValueString()),
			strings.ToUpper(text[:1])+text[1:])
		return
	}
}
