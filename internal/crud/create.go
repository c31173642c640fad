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
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// A creation is one creation of an object.
type creation[M, T any] struct {
	*kindResource[M, T]
	client       *api.Client
	planned      tfsdk.Plan
	plan, config M
	diags        *diag.Diagnostics
}

func (r *kindResource[M, T]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	c := creation[M, T]{kindResource: r, planned: req.Plan, diags: &resp.Diagnostics}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &c.plan)...)
	resp.Diagnostics.Append(req.Config.Get(ctx, &c.config)...)
	c.client = r.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := r.limit(ctx)
	defer cancel()

	object := c.create(ctx)
	if object == nil {
		return
	}
	resp.Diagnostics.Append(r.applied(ctx, c.client, object, &c.plan, req.Plan, &resp.State)...)
	if r.kind.Stored != nil && !resp.Diagnostics.HasError() {
		r.kind.Stored(&c.plan, &c.config, &resp.Diagnostics)
	}
	resp.Diagnostics.Append(r.identify(ctx, &c.plan, resp.Identity)...)
	if resp.Diagnostics.HasError() {
		resp.Diagnostics.AddError("The "+r.kind.Noun+" was created but could not be saved to the state",
			"The object was created, but Terraform could not save it. Import it with:\n\n"+r.howToImport(&c.plan))
	}
}

// create creates the object, unless it already exists. It returns nil and adds
// an error if it cannot.
func (c *creation[M, T]) create(ctx context.Context) *T {
	if c.kind.Operations.Exists == nil {
		return c.send(ctx)
	}
	claimed := objectKey(c.kind.Type(), c.importID(&c.plan))
	if !c.provider.claims.claim(claimed) {
		c.diags.AddError(
			"Another resource manages the same object",
			fmt.Sprintf(
				"Another resource in this run creates the %s with %s. Remove one of the two resources from the configuration.", c.kind.Noun,
				c.keys(&c.plan),
			),
		)
		return nil
	}
	object := c.createOwned(ctx)
	if object == nil {
		c.provider.claims.release(claimed)
	}
	return object
}

// createOwned creates an object whose keys the user chooses. If this run
// deletes the existing object, it waits for that.
func (c *creation[M, T]) createOwned(ctx context.Context) *T {
	found, err := c.kind.Operations.Exists(ctx, c.client, &c.plan)
	if found && c.provider.claims.awaitDeletion(ctx, c.kind.Type(), c.importID(&c.plan)) {
		look := func(ctx context.Context) error {
			found, err = c.kind.Operations.Exists(ctx, c.client, &c.plan)
			return err
		}
		// A replica that lags behind may still show it.
		err = c.client.Settle(ctx, look(ctx), func(err error) bool { return found && err == nil }, look)
	}
	switch {
	case err != nil:
		if refusal, ok := errors.AsType[*api.Error](err); ok && refusal.Status == http.StatusForbidden { // it says nothing about creating
			err = fmt.Errorf("before it creates %s, the provider reads whether it exists: %w", WithArticle(c.kind.Noun), err)
		}
		c.failed(c.diags, "creating", &c.plan, err)
		return nil
	case found:
		c.alreadyExists(&c.plan, "")
		return nil
	}
	return c.send(ctx)
}

// send sends the request, and reports what is known if it fails. If the service
// refuses an object that this run deletes, it waits for the deletion and sends
// the request once more.
func (c *creation[M, T]) send(ctx context.Context) *T {
	object, err := c.kind.Operations.Create(ctx, c.provider, &c.plan, &c.config)
	var existing *M
	if c.duplicate(err) {
		existing = c.twin(ctx)
		id := ""
		if existing != nil {
			id = c.importID(existing)
		}
		if c.provider.claims.awaitDeletion(ctx, c.kind.Type(), id) {
			existing = nil
			object, err = c.kind.Operations.Create(ctx, c.provider, &c.plan, &c.config)
			if c.duplicate(err) {
				existing = c.twin(ctx)
			}
		}
	}
	switch _, unknown := errors.AsType[*api.UnknownOutcomeError](err); {
	case err == nil:
		return object
	case existing != nil:
		c.alreadyExists(existing, capital(err.Error())+".")
	case unknown:
		c.unknownOutcome(ctx, err)
	default:
		c.failed(c.diags, "creating", &c.plan, err)
	}
	return nil
}

// duplicate reports whether a refusal can mean that the object already exists.
func (c *creation[M, T]) duplicate(err error) bool {
	return c.kind.refusesDuplicates() && api.RefusedAsDuplicate(err)
}

// twin returns an existing object with the keys or the unique value of the
// plan, or nil if there is none.
func (c *creation[M, T]) twin(ctx context.Context) *M {
	if c.kind.choosesKey() {
		object, err := c.kind.Operations.Read(ctx, c.client, &c.plan)
		if err != nil {
			return nil
		}
		return c.filled(object)
	}
	for page, err := range c.kind.Operations.Pages(ctx, c.client, &c.plan) {
		if err != nil {
			return nil
		}
		for _, item := range page.Items {
			if model := c.filled(item.Object); c.sameNaturalKey(ctx, model) {
				return model
			}
		}
	}
	return nil
}

// filled returns a copy of the plan, filled with an object of the service.
func (c *creation[M, T]) filled(object *T) *M {
	model := c.plan
	c.kind.Fill(c.provider, object, &model)
	return &model
}

// differences returns the planned values that differ in a model.
func (c *creation[M, T]) differences(ctx context.Context, model *M) ([]difference, error) {
	state := tfsdk.State(c.planned)
	if diags := state.Set(ctx, model); diags.HasError() {
		return nil, errors.New(diags.Errors()[0].Detail())
	}
	_, found, err := keepPlanned(ctx, c.kind.Schema, c.planned.Raw, state.Raw)
	return found, err
}

func (c *creation[M, T]) sameNaturalKey(ctx context.Context, model *M) bool {
	found, err := c.differences(ctx, model)
	return err == nil && !slices.ContainsFunc(found, func(d difference) bool { return d.name == c.kind.NaturalKey })
}

// mayBe reports whether an existing object may be the one that was planned: it
// has the same natural key if the kind has one, and otherwise every planned
// value.
func (c *creation[M, T]) mayBe(ctx context.Context, model *M) bool {
	switch {
	case c.kind.NaturalKey != "":
		return c.sameNaturalKey(ctx, model)
	case c.kind.choosesKey():
		return c.importID(model) == c.importID(&c.plan)
	}
	found, err := c.differences(ctx, model)
	return err == nil && len(found) == 0
}

// alreadyExists reports that the object to create already exists. response is
// what the service returned, if anything.
func (c *creation[M, T]) alreadyExists(existing *M, response string) {
	which := fmt.Sprintf("%s with %s already exists", capital(WithArticle(c.kind.Noun)), c.keys(existing))
	key := c.kind.Keys[len(c.kind.Keys)-1].Name
	if c.kind.NaturalKey != "" {
		key = c.kind.NaturalKey
		which = fmt.Sprintf("%s with this %s already exists: %s", capital(WithArticle(c.kind.Noun)), key, c.importID(existing))
	}
	if response != "" {
		response = "\n\nThe service returned: " + response
	}
	advice := fmt.Sprintf("If this configuration manages it already, do not import it:\n\n"+
		"- If another resource has the same %s, remove one of the two from the configuration.\n"+
		"- If a resource or a for_each key was renamed, add a moved block from the old address to the new one. If this apply has deleted the "+
		"object under the old address, apply again.\n"+
		"- If the plan replaces the resource and create_before_destroy applies, because this resource or one that depends on it sets it, "+
		"remove that setting: the old and the new object cannot exist at the same time.\n\n"+
		"Otherwise it was created manually, by another configuration, or by an earlier apply that was interrupted. "+
		"To manage it with this resource, import it with:\n\n%s\n\n"+
		"The next plan shows the differences. Alternatively, delete the existing object and apply again.", key, c.howToImport(existing))
	c.diags.AddError("The "+c.kind.Noun+" already exists", which+". Nothing was changed.\n\n"+advice+response)
}

// naturalKeyTaken reports an update that the service refuses because another object
// has the new unique value, and returns false for other errors.
func (r *kindResource[M, T]) naturalKeyTaken(diags *diag.Diagnostics, req resource.UpdateRequest, err error) bool {
	var before, after types.String
	if r.kind.NaturalKey == "" || !api.RefusedAsDuplicate(err) ||
		req.State.GetAttribute(context.Background(), path.Root(r.kind.NaturalKey), &before).HasError() ||
		req.Plan.GetAttribute(context.Background(), path.Root(r.kind.NaturalKey), &after).HasError() || before.Equal(after) {
		return false
	}
	diags.AddAttributeError(path.Root(r.kind.NaturalKey), "Error updating "+r.kind.Noun, fmt.Sprintf("%s.\n\n"+
		"If another resource has this %s and gives it up in the same apply, apply again. If two resources exchange their %s, set it to an "+
		"unused value in one of them, such as %q, apply, then set the intended values and apply again.",
		capital(err.Error()), r.kind.NaturalKey, r.kind.NaturalKey, after.ValueString()+"temporary"))
	return true
}
