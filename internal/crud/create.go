package crud

// This file keeps a promise: a creation makes one object, or names what it may
// have made.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// A creation is one creation of an object.
type creation struct {
	*kindResource
	client       *api.Client
	planned      tfsdk.Plan
	plan, config any
	diags        *diag.Diagnostics
}

func (r *kindResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	c := creation{kindResource: r, planned: req.Plan, plan: r.kind.newModel(), config: r.kind.newModel(), diags: &resp.Diagnostics}
	resp.Diagnostics.Append(r.decode(ctx, req.Plan.Raw, c.plan)...)
	resp.Diagnostics.Append(r.decode(ctx, req.Config.Raw, c.config)...)
	c.client = r.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.provider.Limit(ctx)
	defer cancel()

	object := c.create(ctx)
	if object == nil {
		return
	}
	resp.Diagnostics.Append(r.applied(ctx, c.client, object, c.plan, req.Plan, &resp.State)...)
	resp.Diagnostics.Append(r.identify(ctx, c.plan, resp.Identity)...)
	if resp.Diagnostics.HasError() {
		resp.Diagnostics.AddError("The "+r.kind.Noun+" was created but could not be saved to the state",
			"The object was created, but Terraform could not save it. Import it with:\n\n"+r.howToImport(c.plan))
	} else if r.kind.Stored != nil {
		r.kind.Stored(c.plan, c.config, &resp.Diagnostics)
	}
}

// CreateOnce creates an object that no state will have, and returns it, or nil with an
// error. In the model, what only the service knows is unknown.
func (k *Definition) CreateOnce(ctx context.Context, provider *Provider, model any, diags *diag.Diagnostics) any {
	c := creation{kindResource: &kindResource{base: base{kind: k, provider: provider}}, plan: model, config: model, diags: diags}
	diags.Append(c.encode(ctx, model, &c.planned.Raw)...)
	if c.client = c.base.client(diags); diags.HasError() {
		return nil
	}
	ctx, cancel := provider.Limit(ctx)
	defer cancel()
	return c.send(ctx)
}

// create creates the object, unless it already exists. It returns nil and adds
// an error if it cannot.
func (c *creation) create(ctx context.Context) any {
	if c.kind.Operations.Exists == nil {
		return c.send(ctx)
	}
	claimed := c.named(c.plan)
	if !c.provider.run.claim(claimed) {
		c.twoCreate(c.diags, c.plan)
		return nil
	}
	object := c.createOwned(ctx)
	if object == nil {
		c.provider.run.release(claimed)
	}
	return object
}

// createOwned creates an object whose keys the user chooses. If this run may delete the
// existing object, it waits a few seconds for that.
func (c *creation) createOwned(ctx context.Context) any {
	found := false
	look := func(ctx context.Context) (err error) {
		found, err = c.kind.Operations.Exists(ctx, c.client, c.plan)
		return err
	}
	err := look(ctx)
	if found && c.provider.run.mayDelete() {
		err = c.client.Settle(ctx, err, func(err error) bool { return found && err == nil }, look)
	}
	switch {
	case err != nil:
		if refusal, ok := errors.AsType[*api.Error](err); ok && refusal.Status == http.StatusForbidden { // it says nothing about creating
			err = fmt.Errorf("before it creates %s, the provider reads whether it exists: %w", WithArticle(c.kind.Noun), err)
		}
		c.failed(c.diags, "creating", c.plan, err)
		return nil
	case found:
		c.alreadyExists(c.diags, c.plan, "")
		return nil
	}
	return c.send(ctx)
}

// send sends the request, and reports what is known if it fails. If the service
// refuses an object that this run may delete, it waits a few seconds for that and sends
// the request once more.
func (c *creation) send(ctx context.Context) any {
	object, err := c.kind.Operations.Create(ctx, c.provider, c.plan, c.config)
	var existing any
	look := func(ctx context.Context) error {
		existing = c.twin(ctx)
		return nil
	}
	if c.duplicate(err) {
		_ = look(ctx) // it returns no error
		if c.provider.run.mayDelete() && c.client.Settle(ctx, nil, func(error) bool { return existing != nil }, look) == nil && existing == nil {
			if object, err = c.kind.Operations.Create(ctx, c.provider, c.plan, c.config); c.duplicate(err) {
				_ = look(ctx)
			}
		}
	}
	switch _, unknown := errors.AsType[*api.UnknownOutcomeError](err); {
	case err == nil:
		return object
	case existing != nil:
		c.alreadyExists(c.diags, existing, capital(err.Error())+".")
	case unknown:
		c.unknownOutcome(ctx, err)
	default:
		c.failed(c.diags, "creating", c.plan, err)
	}
	return nil
}

// duplicate reports whether a refusal can mean that the object already exists.
func (c *creation) duplicate(err error) bool {
	return c.kind.refusesDuplicates() && api.RefusedForAnother(err)
}

// twin returns an existing object with the keys or the unique value of the
// plan, or nil if there is none.
func (c *creation) twin(ctx context.Context) any {
	if c.kind.choosesKey() {
		object, err := c.kind.Operations.Read(ctx, c.client, c.plan)
		if err != nil {
			return nil
		}
		return c.filled(object)
	}
	for item, err := range c.kind.Operations.List(ctx, c.client, c.plan) {
		if err != nil {
			return nil
		}
		if model := c.filled(item.Object); c.sameNaturalKey(ctx, model) {
			return model
		}
	}
	return nil
}

// filled returns a copy of the plan, filled with an object of the service.
func (c *creation) filled(object any) any {
	model := c.kind.copyOf(c.plan)
	c.kind.Fill(c.provider, object, model)
	return model
}

// differences returns the planned values that differ in a model.
func (c *creation) differences(ctx context.Context, model any) ([]difference, error) {
	state := tfsdk.State(c.planned)
	if diags := c.encode(ctx, model, &state.Raw); diags.HasError() {
		return nil, errors.New(diags.Errors()[0].Detail())
	}
	_, found, err := keepPlanned(ctx, c.kind.Schema, c.planned.Raw, state.Raw)
	return found, err
}

func (c *creation) sameNaturalKey(ctx context.Context, model any) bool {
	found, err := c.differences(ctx, model)
	return err == nil && !slices.ContainsFunc(found, func(d difference) bool { return d.name == c.kind.NaturalKey })
}

// mayBe reports whether an existing object may be the one that was planned: it
// has the same natural key if the kind has one, and otherwise every planned
// value.
func (c *creation) mayBe(ctx context.Context, model any) bool {
	switch {
	case c.kind.NaturalKey != "":
		return c.sameNaturalKey(ctx, model)
	case c.kind.choosesKey():
		return c.importID(model) == c.importID(c.plan)
	}
	found, err := c.differences(ctx, model)
	return err == nil && len(found) == 0
}
