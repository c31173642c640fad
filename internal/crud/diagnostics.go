package crud

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// failed reports a failed operation, at the attribute that the service blames,
// if any. The verb is a gerund, such as "reading".
func (s *service[M, T]) failed(diags *diag.Diagnostics, verb string, err error) {
	summary := "Error " + verb + " " + s.kind.Noun
	if verb == "listing" {
		summary = "Error listing " + s.kind.Reading.Nouns
	}
	detail := capital(err.Error()) + "."
	if _, ok := errors.AsType[*api.UnprovenError](err); ok {
		diags.AddError(summary, detail+"\n\nCheck base_url, including its path. If it is correct and the object no longer exists, remove the object from the state with a removed block, or with:\n\n"+
			"  terraform state rm "+s.address())
		return
	}
	answer, ok := errors.AsType[*api.Error](err)
	if !ok {
		diags.AddError(summary, detail)
		return
	}
	if what := advice[answer.Status]; what != "" && answer.FromService {
		detail += "\n\n" + what
	}
	field, _, _ := strings.Cut(answer.Field, "[")
	field, _, _ = strings.Cut(field, ".")
	if _, ok := s.kind.Schema.Attributes[field]; ok {
		diags.AddAttributeError(path.Root(field), summary, detail)
		return
	}
	diags.AddError(summary, detail)
}

// advice maps HTTP statuses to what the user can do about them, whatever the
// object is.
var advice = map[int]string{
	http.StatusUnauthorized: "The service rejected the API key. Check api_key in the provider block, or TUNNEL_API_KEY, and that the API key belongs to the service at base_url.",
	http.StatusForbidden:    "The API key does not have permission for this operation. Check that api_key (or TUNNEL_API_KEY) is correct, belongs to the service at base_url, and has the required permissions.",
	http.StatusNotFound:     "The object, or an object that it references, does not exist. Check the IDs, and that they belong to this account. If an object was deleted outside of Terraform, the next plan shows it.",
	http.StatusConflict:     "Either another object still references this object, or an object with the same values already exists. If a resource in your configuration uses a literal ID of this object, replace the ID with a reference (such as tunnel_group_backend.web.id), so that Terraform determines the correct order.",
}

// exists reports that the object to create already exists.
func (r *managed[M, T]) exists(diags *diag.Diagnostics, plan *M, existing *api.ExistsError) {
	model := r.withID(plan, existing.ID)
	detail := fmt.Sprintf("%s. It was created manually, by another configuration or resource, or by an earlier apply that was interrupted. "+
		"Nothing was changed. To manage it with this resource, import it with:\n\n%s\n\n"+
		"The next plan shows the differences. Alternatively, delete the existing object and apply again. "+
		"If the plan replaces the resource and its lifecycle block sets create_before_destroy, remove that setting: the old and the new object cannot exist at the same time.",
		r.existing(model), r.howToImport(model))
	if cause := existing.Error(); cause != "" && errors.Unwrap(existing) != errExists { //nolint:errorlint // compares the error itself
		detail += "\n\nThe service returned: " + cause + "."
	}
	diags.AddError("The "+r.kind.Noun+" already exists", detail)
}

// unknownOutcome reports a creation that may have been processed, and what the
// user can do about it.
func (r *managed[M, T]) unknownOutcome(diags *diag.Diagnostics, plan *M, outcome *api.UnknownOutcomeError, err error) {
	noun := WithArticle(r.kind.Noun)
	text := capital(err.Error()) + ".\n\nThe request may have been processed. The provider did not retry it, because a retry could create a duplicate. "
	exactly, again := " with exactly this configuration, created at about the time of the request", "If you apply again without importing it, Terraform creates another one."
	if outcome.Unique {
		text = capital(err.Error()) + ".\n\nThe request may have been processed. "
		exactly, again = "", "Applying again does not create a duplicate."
	}
	switch {
	case len(outcome.IDs) > 0:
		found := "The account contains " + noun + exactly + ": " + outcome.IDs[0] + ". It"
		if len(outcome.IDs) > 1 {
			found = "The account contains several objects" + exactly + ": " + strings.Join(outcome.IDs, ", ") + ". Each of them"
		}
		imports := make([]string, len(outcome.IDs))
		for i, id := range outcome.IDs {
			imports[i] = r.howToImport(r.withID(plan, id))
		}
		one := "If no other configuration manages it, import it with:"
		if len(imports) > 1 {
			one = "Import only one that no other configuration manages, and delete the duplicates that no configuration manages:"
		}
		text += found + " may have been created by this resource, or belong to another configuration. " + one + "\n\n" +
			strings.Join(imports, "\n\n") + "\n\n" + again
	case outcome.Look != nil:
		text += fmt.Sprintf("The provider could not check whether the object exists: %s.\n\n", outcome.Look) +
			r.beforeApplyingAgain(plan, outcome.Unique, "Before you apply again, check", again)
	default:
		text += "No matching object is visible yet: the request was not processed, or the service is still processing it.\n\n" +
			r.beforeApplyingAgain(plan, outcome.Unique, "Before you apply again, wait a minute and check", again)
	}
	diags.AddError("Could not determine whether the "+r.kind.Noun+" was created", text)
}

// beforeApplyingAgain returns what to do if it is unknown whether an object
// exists.
func (r *managed[M, T]) beforeApplyingAgain(plan *M, unique bool, check, again string) string {
	if unique {
		return "You can apply again: if the object exists, the error shows how to import it."
	}
	return fmt.Sprintf("%s whether the account contains %s with this configuration (with terraform query, a data source or the API). "+
		"If it does not, apply again. If it does, import it with:\n\n%s\n\n%s", check, WithArticle(r.kind.Noun), r.howToImport(r.withID(plan, "ID")), again)
}

// existing returns which object already exists.
func (r *managed[M, T]) existing(model *M) string {
	noun := capital(WithArticle(r.kind.Noun))
	if r.kind.Unique != "" {
		return noun + " with this " + r.kind.Unique + " already exists: " + r.importID(model)
	}
	return noun + " with " + r.keys(model) + " already exists"
}

// inUse reports that an object cannot be deleted because other objects, the
// users, refer to it. err is the service's response.
func (r *managed[M, T]) inUse(diags *diag.Diagnostics, users []string, err error) {
	detail := capital(err.Error()) + ".\n\n"
	if len(users) > 0 {
		detail += "Still in use by: " + Some(users, 10) + ".\n\n"
	}
	diags.AddError("The "+r.kind.Noun+" is still in use", detail+
		"By default, Terraform destroys an object before it updates the objects that reference it. Either remove the reference in one apply and the resource in the next, "+
		"or add this to the resource and apply (if you already removed the resource from the configuration, restore it first):\n\n"+
		"  lifecycle {\n    create_before_destroy = true\n  }\n\n"+
		"After that, Terraform updates the references first when it replaces the resource, or when you remove the resource and the reference together.")
}

// withID returns a copy of a model with an id, unless the user chooses the id
// and the model already has it.
func (r *managed[M, T]) withID(model *M, id string) *M {
	named := *model
	if last := r.kind.Keys[len(r.kind.Keys)-1].Of(&named); !attribute.Known(*last) {
		*last = types.StringValue(id)
	}
	return &named
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// WithArticle puts "a" or "an" before a noun, depending on its pronunciation.
func WithArticle(noun string) string {
	first, _, _ := strings.Cut(noun, " ")
	spelled := first == strings.ToUpper(first) && strings.ContainsAny(first[:1], "AEFHILMNORSX")
	if spelled || strings.ContainsAny(noun[:1], "aeio") {
		return "an " + noun
	}
	return "a " + noun
}
