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
		diags.AddError(summary, detail+"\n\nCheck base_url, its path included. If it is right and the object no longer exists, remove it from the state with a removed block or with:\n\n"+
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
	http.StatusUnauthorized: "The service does not know the API key. Check api_key in the provider block, or TUNNEL_API_KEY, and that the key belongs to the service at base_url.",
	http.StatusForbidden:    "The API key is not allowed to do this. Check that it is the right key (api_key or TUNNEL_API_KEY), that it belongs to the service at base_url, and what it is allowed to do.",
	http.StatusNotFound:     "The object, or one that it refers to, does not exist. Check that the ids are right and belong to this account. The next plan shows what was deleted in the meantime.",
	http.StatusConflict:     "Another object refers to this one, or this one already exists. If another resource refers to it, let that resource depend on this one by reference, so that Terraform finds the order.",
}

// exists reports that the object to create already exists.
func (r *managed[M, T]) exists(diags *diag.Diagnostics, plan *M, existing *api.ExistsError) {
	model := r.withID(plan, existing.ID)
	detail := fmt.Sprintf("%s already exists: %s. It was created by hand, by another configuration or resource, or by an earlier apply that was interrupted. "+
		"Nothing was changed. To manage it here, import it with:\n\n%s\n\n"+
		"The next plan shows what would change. Otherwise delete it at the service first. "+
		"If this resource uses create_before_destroy, remove that: the service cannot hold the old and the new object at the same time.",
		capital(WithArticle(r.kind.Noun)), r.importID(model), r.howToImport(model))
	if cause := existing.Error(); cause != "" && errors.Unwrap(existing) != errExists { //nolint:errorlint // compares the error itself
		detail += "\n\nThe service answered: " + cause + "."
	}
	diags.AddError("The "+r.kind.Noun+" already exists", detail)
}

// unknownOutcome reports a creation that may have been processed, and what the
// user can do about it.
func (r *managed[M, T]) unknownOutcome(diags *diag.Diagnostics, plan *M, outcome *api.UnknownOutcomeError, err error) {
	noun := WithArticle(r.kind.Noun)
	text := capital(err.Error()) + ".\n\nThe request may have been processed, and was not repeated, since that could create a second object. "
	exactly, again := " that is exactly as configured and was created at that time", "Applying again without importing creates another one."
	if outcome.Unique {
		text = capital(err.Error()) + ".\n\nThe request may have been processed. "
		exactly, again = "", "Applying again creates no second one: if it exists, the error says how to import it."
	}
	switch {
	case len(outcome.IDs) > 0:
		found := "The service holds " + noun + exactly + ": " + outcome.IDs[0] + ". It"
		if len(outcome.IDs) > 1 {
			found = "The service holds several objects that are exactly as configured and were created at that time: " + strings.Join(outcome.IDs, ", ") + ". Each of them"
		}
		imports := make([]string, len(outcome.IDs))
		for i, id := range outcome.IDs {
			imports[i] = r.howToImport(r.withID(plan, id))
		}
		text += found + " may be the one that this resource created, or belong to another configuration. Check that, then import it with:\n\n" +
			strings.Join(imports, "\n\n") + "\n\n" + again
	case outcome.Look != nil:
		text += fmt.Sprintf("The provider could not look for it: %s.\n\nBefore applying again, look for %s at the service that is exactly as configured. "+
			"If there is one, import it with:\n\n%s\n\n%s", outcome.Look, noun, r.howToImport(r.withID(plan, "ID")), again)
	default:
		text += fmt.Sprintf("None is visible yet: it was not created, or the service has not finished.\n\nBefore applying again, wait a minute and look for %s at the service that is exactly as configured. "+
			"If there is one, import it with:\n\n%s\n\n%s", noun, r.howToImport(r.withID(plan, "ID")), again)
	}
	diags.AddError("Could not determine whether the "+r.kind.Noun+" was created", text)
}

// inUse reports that an object cannot be deleted because other objects, the
// users, refer to it. err is the service's response.
func (r *managed[M, T]) inUse(diags *diag.Diagnostics, users []string, err error) {
	detail := capital(err.Error()) + ".\n\n"
	if len(users) > 0 {
		detail += "Still in use by: " + Some(users, 10) + ".\n\n"
	}
	diags.AddError("The "+r.kind.Noun+" is still in use", detail+
		"Terraform destroys an object before it updates the ones that refer to it. If the same apply removes the reference, add this to the resource, apply again, and the references are updated first:\n\n"+
		"  lifecycle {\n    create_before_destroy = true\n  }\n\n"+
		"Terraform keeps this setting in the state, so it must be applied before the resource is removed from the configuration. "+
		"Otherwise remove the reference in one apply and the resource in the next.")
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
