package crud

// This file has what users can do in the situations that an object can be in. The errors
// of requests are in failed.go, and unknown outcomes in unknown_outcome.go.

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// notFound says that there is no object with the keys of a model. Advice
// follows the text.
func (s *base) notFound(model any, advice string) string {
	detail := "The account has no " + s.kind.Noun + " with " + s.keys(model)
	if key := s.kind.Keys[len(s.kind.Keys)-1]; key.Name == "id" {
		detail += ". " + checkIDAdvice
		if !strings.HasPrefix(key.Of(model).ValueString(), api.IDPrefix(key.Example)) {
			detail += " Expected an ID such as " + key.Example + ". " + s.kind.toFind()
		}
	} else {
		detail += fmt.Sprintf(": the %s does not have it, or an ID is wrong or belongs to another account.", s.parent())
	}
	return detail + advice
}

// toFind says how to find the ID of an object.
func (k *Definition) toFind() string {
	return "To find it, use the data source " + typeOfMany(k.Kind) + " or terraform query."
}

// parent returns the noun of the object that has this one as a part.
func (s *base) parent() string {
	noun := "object"
	for _, key := range s.kind.Keys {
		if key.Kind != nil {
			noun = key.Kind.Noun
		}
	}
	return noun
}

// alreadyExists reports that the object to create already exists. response is
// what the service returned, if anything.
func (r *kindResource) alreadyExists(diags *diag.Diagnostics, existing any, response string) {
	which := fmt.Sprintf("%s with %s already exists", capital(WithArticle(r.kind.Noun)), r.keys(existing))
	key := r.kind.Keys[len(r.kind.Keys)-1].Name
	if r.kind.NaturalKey != "" {
		key = r.kind.NaturalKey
		which = fmt.Sprintf("%s with this %s already exists: %s", capital(WithArticle(r.kind.Noun)), key, r.importID(existing))
	}
	if response != "" {
		response = "\n\nThe service returned: " + response
	}
	advice := fmt.Sprintf("If no resource manages it, it was created manually or by an interrupted apply. Import it, and the next plan shows "+
		"the differences:\n\n%s\n\n"+
		"If this configuration manages it already, do not import it:\n\n"+
		"- Another resource with the same %s: remove one of the two.\n"+
		"- A renamed resource or for_each key: add a moved block from the old address. If this apply has deleted the object there, apply "+
		"again.\n"+
		"- A replacement with create_before_destroy: remove this setting from the resource and from those that depend on it, because the old "+
		"and the new object cannot exist at the same time.\n\n"+
		"If another configuration manages it, use a data source here instead.", r.howToImport(existing), key)
	diags.AddError("The "+r.kind.Noun+" already exists", which+". Nothing was changed.\n\n"+advice+response)
}

// naturalKeyTaken reports an update that the service refuses because another object
// has the new unique value, and returns false for other errors.
func (r *kindResource) naturalKeyTaken(diags *diag.Diagnostics, req resource.UpdateRequest, err error) bool {
	var before, after types.String
	if r.kind.NaturalKey == "" || !api.RefusedForAnother(err) ||
		req.State.GetAttribute(context.Background(), path.Root(r.kind.NaturalKey), &before).HasError() ||
		req.Plan.GetAttribute(context.Background(), path.Root(r.kind.NaturalKey), &after).HasError() || before.Equal(after) {
		return false
	}
	diags.AddAttributeError(path.Root(r.kind.NaturalKey), "Error updating "+r.kind.Noun, fmt.Sprintf("%s.\n\n"+
		"If another resource has this %s and gives it up in the same apply, apply again. If two or more resources exchange their %s, "+
		"set it to an unused value in one of them, such as %q, and apply. Then set the intended values, and apply until this error does not "+
		"appear again: each apply changes at least one of them.",
		capital(err.Error()), r.kind.NaturalKey, r.kind.NaturalKey, after.ValueString()+"temporary"))
	return true
}

// twoCreate reports that two resources create the same object.
func (r *kindResource) twoCreate(diags *diag.Diagnostics, plan any) {
	diags.AddError("Another resource manages the same object", fmt.Sprintf(
		"Another resource in this run creates the %s with %s. Remove one of the two resources from the configuration.", r.kind.Noun, r.keys(plan),
	))
}

// inUse reports that an object cannot be deleted because other objects, the
// users, refer to it. err is the service's response.
func (r *kindResource) inUse(diags *diag.Diagnostics, users []string, err error) {
	detail := capital(err.Error()) + ".\n\n"
	if len(users) > 0 {
		detail += "Still in use by: " + JoinLimited(users, 10) + ".\n\n"
	}
	if r.kind.InUse != "" {
		diags.AddError("The "+r.kind.Noun+" is still in use", detail+r.kind.InUse)
		return
	}
	diags.AddError("The "+r.kind.Noun+" is still in use", detail+
		"If another configuration manages these objects, or they were created manually, remove their references there, or delete them, and "+
		"apply again.\n\n"+
		"If this apply uses -target, apply without it, so that Terraform can update these objects first.\n\n"+
		"If a resource of this configuration names the object literally, use a reference to "+r.address()+" instead, so that Terraform "+
		"determines the order.\n\n"+
		"If a resource was renamed, add a moved block from the old address to the new one.\n\n"+
		"If this configuration manages them: by default, Terraform destroys an object before it updates the objects that reference it. "+
		"Either remove the reference in one apply and the resource in the next, "+
		"or add this to the resource and apply (if you already removed the resource from the configuration, restore it first):\n\n"+
		"  lifecycle {\n    create_before_destroy = true\n  }\n\n"+
		"After that, Terraform updates the references first when it replaces the resource, or when you remove the resource and the "+
		"reference together.")
}

const wrongAccount = "The API key may belong to another account"

// wrongAccount reports that objects of the state do not exist.
func (r *kindResource) wrongAccount(diags *diag.Diagnostics, strange *strangeAccount) {
	diags.AddError(wrongAccount, fmt.Sprintf(
		"The account of this API key at %s contains none of the objects of the state that this run has looked for: %s. "+
			"With -target, a run looks for the targeted objects only, and others may exist.\n\n"+
			"Check that api_key (or TUNNEL_API_KEY) and base_url (or TUNNEL_BASE_URL) belong to this state. If they do not, and a destroy has "+
			"already removed objects from the state, restore the previous state.\n\n"+
			"If all these objects were deleted outside of Terraform, run Terraform once with TUNNEL_SKIP_ACCOUNT_VALIDATION=true in the "+
			"environment, or with skip_account_validation = true in the provider block. Or remove them from the state with:\n\n"+
			"  terraform state rm %s",
		r.provider.Client.BaseURL(), JoinLimited(strange.gone, 10), r.address()))
}

// goneToo says that one more object of the state does not exist.
func (r *kindResource) goneToo(state any) string {
	return "The account has no " + r.named(state) + " either, and the state keeps it. Another error with this summary says what to do."
}

// held returns the object of a state for the check of the account. The first key of an
// object in a parent is the parent's id.
func (r *kindResource) held(state any) held {
	model := r.kind.copyOf(state)
	return held{name: r.named(state), parent: r.kind.Keys[0].Of(state).ValueString(), exists: func(ctx context.Context) (bool, error) {
		_, err := r.kind.Operations.Read(ctx, r.provider.Client, model)
		if api.IsGone(err) {
			return false, nil
		}
		return err == nil, err
	}}
}
