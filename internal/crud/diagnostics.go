package crud

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// failed reports a failed operation, at the attribute that the service blames,
// if any. The verb is a gerund, such as "reading".
// The model contains the keys that the user gave.
func (s *base[M, T]) failed(diags *diag.Diagnostics, verb string, model *M, err error) {
	summary := "Error " + verb + " " + s.kind.Noun
	if verb == "listing" {
		summary = "Error listing " + s.kind.Plural()
	}
	detail := capital(err.Error()) + "."
	if _, ok := errors.AsType[*api.UnconfirmedError](err); ok {
		diags.AddError(
			summary,
			detail+"\n\nTry again in a minute: the responses may agree then. Otherwise check base_url, including its path. "+
				"If it is correct and the object no longer exists, remove the object from the state with a removed block, or with:\n\n"+
				"  terraform state rm "+s.address(),
		)
		return
	}
	switch {
	case errors.Is(err, context.Canceled): // no argument helps
	case api.IsRateLimited(err):
		detail += "\n\nTry again later, or increase operation_timeout in the provider block. If other clients share the rate limit of the " +
			"account, set requests_per_minute, too."
	case errors.Is(err, api.ErrNoResponse):
		detail += "\n\nIf the service is slow, increase request_timeout in the provider block."
	}
	if api.PossiblyProcessed(err) && outcomes[verb] != "" {
		detail += "\n\n" + outcomes[verb]
	}
	answer, ok := errors.AsType[*api.Error](err)
	if !ok {
		diags.AddError(summary, detail)
		return
	}
	field, hint, general := answer.Field, "", advice[answer.Status]
	if answer.Status == http.StatusConflict {
		general = fmt.Sprintf(general, s.address())
	}
	if answer.Status == http.StatusNotFound {
		var key string
		key, hint = s.otherKinds(model)
		field = cmp.Or(field, key, s.keyIn(model, answer.Message))
	}
	at := attributeOf(s.kind.Schema, field)
	if err := s.kind.wrongPrefix(fieldRoot(field), s.textAt(model, at)); err != nil {
		hint = fmt.Sprintf("%s %s.", field, err)
	}
	if hint != "" {
		detail = strings.TrimSpace(hint) + "\n\n" + detail
	}
	if general != "" && answer.FromService && (hint == "" || answer.Status != http.StatusNotFound) {
		detail += "\n\n" + general
	}
	if answer.Status >= http.StatusInternalServerError && answer.FromService {
		detail += "\n\nThe service failed. Try again later. If it fails again, contact its support with the operation ID."
	}
	if find := s.kind.lookup(fieldRoot(field)); find != "" && answer.Status != http.StatusConflict {
		detail += "\n\n" + find
	}
	if at.Equal(path.Empty()) {
		diags.AddError(summary, detail)
		return
	}
	diags.AddAttributeError(at, summary, detail)
}

// outcomes says what a failed operation may have done although it failed.
var outcomes = map[string]string{
	"updating": "The change may have been made nevertheless. The next plan shows whether it was.",
	"deleting": "The object may have been deleted nevertheless. If it was, the next apply finds that out.",
}

// fieldStep is the first step of a field of a request, such as inbound, [0] or
// .name.
var fieldStep = regexp.MustCompile(`^(?:\.?([a-z0-9_]+)|\[([0-9]{1,6})\])`)

// attributeOf returns the path of the attribute for a field of a request, such
// as inbound[0].actions[1].type. It ends before the first step that is not in
// the schema, such as metadata in the config of an action.
func attributeOf(schema schema.Schema, field string) path.Path {
	at := path.Empty() // which the zero Path does not equal
	for {
		step := fieldStep.FindStringSubmatch(field)
		if step == nil {
			return at
		}
		next := at.AtName(step[1])
		if step[2] != "" {
			index, _ := strconv.Atoi(step[2]) // the pattern matches numbers only
			next = at.AtListIndex(index)
		}
		if _, diags := schema.TypeAtPath(context.Background(), next); diags.HasError() {
			return at
		}
		at, field = next, field[len(step[0]):]
	}
}

// advice maps HTTP statuses to what the user can do about them, whatever the
// object is.
var advice = map[int]string{
	http.StatusUnauthorized: "The service rejected the API key. Check api_key or api_key_file in the provider block, or TUNNEL_API_KEY or " +
		"TUNNEL_API_KEY_FILE, and that the API key belongs to the service at base_url.",
	http.StatusForbidden: "The API key does not have permission for this operation. If it is read-only, use one with write " +
		"permission. Otherwise check that api_key (or TUNNEL_API_KEY) is correct, belongs to the service at base_url, and has the required " +
		"permissions.",
	http.StatusNotFound: "The object, or an object that it references, does not exist. Check the IDs, and that they belong to this " +
		"account. If an object was deleted outside of Terraform, the next plan shows it.",
	http.StatusConflict: "Either another object still references this object, or an object with the same values already exists. " +
		"If a resource in your configuration uses a literal ID of this object, replace the ID with a reference (such as %s.id), so that " +
		"Terraform determines the correct order.",
}

// fieldRoot returns the first name of a field, as in backends[0].
func fieldRoot(field string) string {
	end := strings.IndexAny(field+".", ".[")
	return field[:end]
}

// otherKinds names the keys of a model that look like ids of another kind of
// object, and returns the first of them. Ids are opaque, so this is only a
// hint.
func (s *base[M, T]) otherKinds(model *M) (first, text string) {
	for _, key := range s.kind.Keys {
		if key.Kind == nil {
			continue
		}
		if err := checkPrefix(key.Of(model).ValueString(), []*api.Kind{key.Kind}); err != nil {
			first = cmp.Or(first, key.Name)
			text += fmt.Sprintf("\n\n%s %s.", key.Name, err)
		}
	}
	return first, text
}

// keyIn returns the key of a model that a message names, if it is the id of
// another object, or "".
func (s *base[M, T]) keyIn(model *M, message string) string {
	for _, key := range s.kind.Keys {
		if id := key.Of(model).ValueString(); id != "" && s.kind.lookup(key.Name) != "" && strings.Contains(message, id) {
			return key.Name
		}
	}
	return ""
}

// textAt returns the text at a path in a model, or "" if there is none.
func (s *base[M, T]) textAt(model *M, at path.Path) string {
	ctx := context.Background()
	state := tfsdk.State{Schema: s.kind.Schema, Raw: tftypes.NewValue(s.kind.Schema.Type().TerraformType(ctx), nil)}
	var text types.String
	if state.Set(ctx, model).HasError() || state.GetAttribute(ctx, at, &text).HasError() {
		return ""
	}
	return text.ValueString()
}

// notFound says that there is no object with the keys of a model. Advice
// follows the text.
func (s *base[M, T]) notFound(model *M, advice string) string {
	detail := "The account has no " + s.kind.Noun + " with " + s.keys(model)
	_, hint := s.otherKinds(model)
	if key := s.kind.Keys[len(s.kind.Keys)-1]; key.Name == "id" {
		detail += ". " + checkIDAdvice
		if hint == "" && !strings.HasPrefix(key.Of(model).ValueString(), api.IDPrefix(key.Example)) {
			detail += fmt.Sprintf(
				" Expected an ID such as %s. To find it, use the data source %s or terraform query.", key.Example, dataSourcesOf(s.kind.Kind),
			)
		}
	} else {
		detail += fmt.Sprintf(": the %s does not have it, or an ID is wrong or belongs to another account.", s.parent())
	}
	return detail + advice + hint
}

// parent returns the noun of the object that has this one as a part.
func (s *base[M, T]) parent() string {
	noun := "object"
	for _, key := range s.kind.Keys {
		if key.Kind != nil {
			noun = key.Kind.Noun
		}
	}
	return noun
}

// inUse reports that an object cannot be deleted because other objects, the
// users, refer to it. err is the service's response.
func (r *kindResource[M, T]) inUse(diags *diag.Diagnostics, users []User, err error) {
	detail := capital(err.Error()) + ".\n\n"
	if len(users) > 0 {
		names := make([]string, len(users))
		for i, user := range users {
			names[i] = user.text
		}
		detail += "Still in use by: " + JoinLimited(names, 10) + ".\n\n"
	}
	if r.kind.InUse != "" {
		diags.AddError("The "+r.kind.Noun+" is still in use", detail+r.kind.InUse)
		return
	}
	diags.AddError("The "+r.kind.Noun+" is still in use", detail+
		"If another configuration manages these objects, or they were created manually, remove their references there, or delete them, and "+
		"apply again.\n\n"+
		"If this apply uses -target, apply without it, so that Terraform can update these objects first.\n\n"+
		"If a resource was renamed, add a moved block from the old address to the new one.\n\n"+
		"If this configuration manages them: by default, Terraform destroys an object before it updates the objects that reference it. "+
		"Either remove the reference in one apply and the resource in the next, "+
		"or add this to the resource and apply (if you already removed the resource from the configuration, restore it first):\n\n"+
		"  lifecycle {\n    create_before_destroy = true\n  }\n\n"+
		"After that, Terraform updates the references first when it replaces the resource, or when you remove the resource and the "+
		"reference together.")
}

const wrongAccount = "The API key may belong to another account"

// lose decides what becomes of an object that is gone. The first key of an object in a
// parent is the parent's id.
func (r *kindResource[M, T]) lose(ctx context.Context, state *M, isRead bool) *strangeAccount {
	return r.provider.account.lose(ctx, r.named(state), r.kind.Keys[0].Of(state).ValueString(), isRead)
}

// wrongAccount reports that objects of the state do not exist.
func (r *kindResource[M, T]) wrongAccount(diags *diag.Diagnostics, client *api.Client, strange *strangeAccount) {
	restore := ""
	if len(strange.left) > 0 {
		restore = fmt.Sprintf(
			"This run has already removed from the state: %s. If the API key is wrong, restore the previous state, or import them again.\n\n",
			JoinLimited(strange.left, 10),
		)
	}
	diags.AddError(wrongAccount, fmt.Sprintf(
		"The account of this API key at %s contains none of the objects of the state that this run has looked for: %s. "+
			"With -target, a run looks for the targeted objects only, and others may exist.\n\n"+
			"Check that api_key (or TUNNEL_API_KEY) and base_url (or TUNNEL_BASE_URL) belong to this state.\n\n%s"+
			"If all these objects were deleted outside of Terraform, run Terraform once with TUNNEL_SKIP_ACCOUNT_VALIDATION=true in the "+
			"environment, or with skip_account_validation = true in the provider block. Or remove them from the state with:\n\n"+
			"  terraform state rm %s",
		client.BaseURL(), JoinLimited(strange.gone, 10), restore, r.address()))
}

// named returns the noun and the import id of an object.
func (s *base[M, T]) named(model *M) string { return s.kind.Noun + " " + s.importID(model) }

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
