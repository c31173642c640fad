package crud

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// A failure is a request that failed, and what is known of it.
type failure struct {
	verb   string
	err    error
	answer *api.Error // nil if there is none
}

func (f failure) is(status int) bool {
	return f.answer != nil && f.answer.FromService && f.answer.Status == status
}

// situations are what can be the cause of a failure, and what users can do about it,
// whatever the object is. ADDRESS stands for the address of the resource.
var situations = []struct {
	applies func(failure) bool
	advice  string
}{
	{
		func(f failure) bool { return isUnconfirmed(f.err) },
		"Try again in a minute: the responses may agree then. Otherwise check base_url, including its path. If it is correct and the object no " +
			"longer exists, remove the object from the state with a removed block, or with:\n\n  terraform state rm ADDRESS",
	},
	{
		func(f failure) bool { return api.IsRateLimited(f.err) && !errors.Is(f.err, context.Canceled) },
		"Try again later, or increase operation_timeout in the provider block. If other clients share the rate limit of the account, set " +
			"requests_per_minute, too.",
	},
	{
		func(f failure) bool {
			return errors.Is(f.err, api.ErrNoResponse) && !errors.Is(f.err, context.Canceled)
		},
		"If the service is slow, increase request_timeout in the provider block.",
	},
	{
		func(f failure) bool { return f.verb == "updating" && api.PossiblyProcessed(f.err) },
		"The change may have been made nevertheless. The next plan shows whether it was.",
	},
	{
		func(f failure) bool { return f.verb == "deleting" && api.PossiblyProcessed(f.err) },
		"The object may have been deleted nevertheless. If it was, the next apply finds that out.",
	},
	{
		func(f failure) bool { return f.is(http.StatusUnauthorized) },
		"The service rejected the API key. Check api_key or api_key_file in the provider block, or TUNNEL_API_KEY or TUNNEL_API_KEY_FILE, and " +
			"that the API key belongs to the service at base_url. If the key was replaced during this run, run Terraform again.",
	},
	{
		func(f failure) bool { return f.is(http.StatusForbidden) },
		"The API key does not have permission for this operation. If it is read-only, use one with write permission. Otherwise check that " +
			"api_key (or TUNNEL_API_KEY) is correct, belongs to the service at base_url, and has the required permissions.",
	},
	{
		func(f failure) bool { return f.is(http.StatusNotFound) && !isUnconfirmed(f.err) },
		"The object, or an object that it references, does not exist. Check the IDs, and that they belong to this account. If an object was " +
			"deleted outside of Terraform, the next plan shows it.",
	},
	{
		func(f failure) bool { return f.is(http.StatusConflict) },
		"An object with the same values may already exist, or the service is making another change of this object: in that case, apply again.",
	},
	{
		func(f failure) bool {
			return f.answer != nil && f.answer.FromService && f.answer.Status >= http.StatusInternalServerError
		},
		"The service failed. Try again later. If it fails again, contact its support with the operation ID.",
	},
}

func isUnconfirmed(err error) bool {
	_, ok := errors.AsType[*api.UnconfirmedError](err)
	return ok
}

// failed reports a failed operation, at the attribute that the service blames,
// if any. The verb is a gerund, such as "reading".
// The model contains the keys that the user gave.
func (s *base) failed(diags *diag.Diagnostics, verb string, model any, err error) {
	summary := "Error " + verb + " " + s.kind.Noun
	if verb == "listing" {
		summary = "Error listing " + s.kind.Plural()
	}
	f, at, find := failure{verb: verb, err: err}, path.Empty(), ""
	if answer, ok := errors.AsType[*api.Error](err); ok && !isUnconfirmed(err) {
		f.answer = answer
		field := answer.Field
		if answer.Status == http.StatusNotFound {
			field = cmp.Or(field, s.keyIn(model, answer.Message))
		}
		at = attributeOf(s.kind.Schema, field)
		if answer.Status != http.StatusConflict {
			find = s.kind.lookup(fieldName(field))
		}
	}
	parts := []string{capital(err.Error()) + "."}
	for _, situation := range situations {
		if situation.applies(f) {
			parts = append(parts, strings.ReplaceAll(situation.advice, "ADDRESS", s.address()))
		}
	}
	parts = slices.DeleteFunc(append(parts, find), func(part string) bool { return part == "" })
	if detail := strings.Join(parts, "\n\n"); at.Equal(path.Empty()) {
		diags.AddError(summary, detail)
	} else {
		diags.AddAttributeError(at, summary, detail)
	}
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

// fieldName returns the last name of a field, as in config.ip_policies[0].
func fieldName(field string) string {
	name, _, _ := strings.Cut(field[strings.LastIndexByte(field, '.')+1:], "[")
	return name
}

// keyIn returns the key of a model that a message names, if it is the id of
// another object, or "".
func (s *base) keyIn(model any, message string) string {
	for _, key := range s.kind.Keys {
		if id := key.Of(model).ValueString(); id != "" && s.kind.lookup(key.Name) != "" && strings.Contains(message, id) {
			return key.Name
		}
	}
	return ""
}

// named returns the noun and the import id of an object.
func (s *base) named(model any) string { return s.kind.Noun + " " + s.importID(model) }

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
