package crud

import (
	"errors"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// failed reports an operation that did not succeed, at the attribute that the
// service blames where it blames one.
func (s *service[M, D, T]) failed(diags *diag.Diagnostics, verb string, err error) {
	summary := "Could not " + verb + " " + s.kind.Noun
	if verb == "list" {
		summary = "Could not list " + s.kind.Reading.Nouns
	}
	detail := capital(err.Error()) + "."
	var answer *api.Error
	if !errors.As(err, &answer) {
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

// exists reports that what was to be created is there already.
func (r *managed[M, D, T]) exists(diags *diag.Diagnostics, plan *M) {
	diags.AddError("The "+r.kind.Noun+" exists already",
		"The service has "+article(r.kind.Noun)+" at "+r.importID(plan)+" already: somebody made it by hand, another resource block manages it, "+
			"or an earlier apply was interrupted. It was left as it is. To manage it here, import it with:\n\n"+r.howToImport(plan)+
			"\n\nThe plan then shows what would change. To start afresh instead, delete it at the service first.")
}

// advice says what a person can do about an answer, where that does not depend
// on the object.
var advice = map[int]string{
	http.StatusUnauthorized: "The service does not know the API key. Check api_key in the provider block or TUNNEL_API_KEY, and that it belongs to the service at base_url.",
	http.StatusForbidden:    "The API key may not do this. Where the key should be allowed to, check that it is the right one (api_key or TUNNEL_API_KEY) and that it belongs to the service at base_url.",
	http.StatusNotFound:     "What the object belongs to or refers to is not there. Check that the ids are right and belong to this account; what was deleted meanwhile shows in the next plan.",
	http.StatusConflict:     "Something else refers to the object, or the object is there already. Where another resource refers to it, let that one depend on this one by reference, so that Terraform finds the order.",
}

func capital(text string) string {
	return strings.ToUpper(text[:1]) + text[1:]
}

// article puts "a" or "an" in front of a noun, as it is spoken.
func article(noun string) string {
	if strings.ContainsAny(noun[:1], "aeioHS") { // HTTPS and SSH are spelled out
		return "an " + noun
	}
	return "a " + noun
}
