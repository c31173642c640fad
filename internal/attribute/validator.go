package attribute

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// Check returns a validator for a form that the API contract states, so that no
// object of the service can violate it, and for settings of the provider. For
// the elements of a list, use it with listvalidator.ValueStringsAre or
// similar. The error of the rule follows the attribute's name in the message:
// "must be …; found …".
func Check(description string, rule func(string) error) validator.String {
	return check{title: titleOf(description), description: description, rule: rule}
}

// Limit is like Check, for a limit that the contract does not state. Existing
// objects may violate it, so it applies only to values that a plan sets (see IsNew).
func Limit(description string, rule func(string) error) validator.String {
	return check{title: titleOf(description), description: description, rule: rule, limit: true}
}

// Unusual is like Limit, but reports a warning, because the service may accept
// the value. The summary has the name of the attribute or element, because Terraform
// shows only the first of several warnings with the same summary.
func Unusual(description string, rule func(string) error) validator.String {
	return check{description: description, rule: rule, limit: true, warns: true}
}

// misspelled is Unusual with a summary of its own.
func misspelled(summary, description string, rule func(string) error) validator.String {
	return check{title: summary, description: description, rule: rule, limit: true, warns: true}
}

// thing matches the description of a value that names what the value is.
var thing = regexp.MustCompile(`^an? ([A-Za-z0-9 ]+?)(?:,| with | without | that | in | for |$)`)

// titleOf returns the summary of an error from the description of what is
// expected: "Invalid ACL rule" for "an ACL rule". It returns "" if the description
// names nothing. Then the summary has the name of the attribute.
func titleOf(description string) string {
	if named := thing.FindStringSubmatch(description); named != nil {
		return "Invalid " + named[1]
	}
	return ""
}

// invalid returns the summary for an attribute whose value has no name.
func invalid(at path.Path) string {
	name := ""
	for _, step := range at.Steps() {
		if attribute, ok := step.(path.PathStepAttributeName); ok {
			name = string(attribute)
		}
	}
	return "Invalid " + name
}

type check struct {
	title       string // "" for one with the name of the attribute
	description string
	rule        func(string) error
	limit       bool // see IsNew
	warns       bool
	secret      bool // the rule repeats nothing of the text
	placed      bool // the title names the attribute
}

func (c check) Description(context.Context) string         { return c.description }
func (c check) MarkdownDescription(context.Context) string { return c.description }

func (c check) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !IsKnown(req.ConfigValue) || c.limit && !IsNew(ctx, req.Path, req.ConfigValue) {
		return
	}
	err, title := c.violation(req.ConfigValue.ValueString()), c.title
	switch {
	case c.placed:
		title += " in " + Name(req.Path)
	case title == "" && c.warns:
		title = "Unusual " + Name(req.Path)
	case title == "":
		title = invalid(req.Path)
	}
	switch {
	case err != nil && c.warns:
		resp.Diagnostics.AddAttributeWarning(req.Path, title, sentence(Name(req.Path), err)+" The service may reject it.")
	case err != nil:
		resp.Diagnostics.AddAttributeError(req.Path, title, sentence(Name(req.Path), err))
	}
}

// violation returns the error of the rule. For a private key in a wrong place,
// it says only that, unless the rule itself says what to do with the key.
func (c check) violation(text string) error {
	err := c.rule(text)
	if err == nil || c.secret || !quote.HasPrivateKey(text) || strings.Contains(err.Error(), "found a private key.") {
		return err
	}
	return fmt.Errorf("must be %s; found %s. Remove the private key from this attribute", c.description, quote.PrivateKey)
}

// Name returns the name of an attribute or element in messages, such as
// inbound[0].name. It hides a key as quote.Value does.
func Name(at path.Path) string {
	last, _ := at.Steps().LastStep()
	if key, ok := last.(path.PathStepElementKeyString); ok {
		return at.ParentPath().String() + "[" + quote.Value(string(key)) + "]"
	}
	return at.String()
}

// sentence returns an error as a sentence about a subject, for the detail of a
// diagnostic.
func sentence(subject string, err error) string {
	text := subject + " " + err.Error()
	if strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// MaxBytes returns a validator of a string's length in bytes of UTF-8.
func MaxBytes(limit int) validator.String { return Limit(atMostBytes(limit)) }

// UsuallyMaxBytes is like MaxBytes, for kinds for which the API contract states
// no limit.
func UsuallyMaxBytes(limit int) validator.String { return Unusual(atMostBytes(limit)) }

func atMostBytes(limit int) (description string, rule func(string) error) {
	return fmt.Sprintf("at most %d bytes of UTF-8", limit), func(text string) error {
		if len(text) > limit {
			return fmt.Errorf("must be at most %d bytes long; found %d bytes (a non-ASCII character takes 2 to 4 bytes)", limit, len(text))
		}
		return nil
	}
}

// Secret validates a secret of a service that the contract does not describe: most
// mistakes are an unset variable, and the line end of a file. The service never returns
// it, so a Limit would have no effect.
var Secret validator.String = check{description: "a secret", secret: true, rule: func(text string) error {
	switch {
	case text == "":
		return errors.New("must not be empty: check the variable or file that its value comes from")
	case strings.TrimSpace(text) != text:
		return errors.New("must not begin or end with white space, such as the line end of a file. Remove it with trimspace(...)")
	}
	return nil
}}

// NotEmpty validates that a string is not empty.
var NotEmpty = Limit("not empty", func(text string) error {
	if text == "" {
		return errors.New("must not be empty")
	}
	return nil
})

// UsuallyOneOf returns the validators of an enumeration. They warn about other values,
// which the service may hold and accept, because enumerations grow. An empty text is
// an error: the service takes it as none. So is a known value in another spelling: the
// service would refuse it after Terraform has deleted the object to replace.
func UsuallyOneOf(values ...string) []validator.String {
	expected := Alternatives(values)
	wrong := func(text string) error {
		return fmt.Errorf("is %s; expected %s%s", quote.Value(text), expected, didYouMean(text, values...))
	}
	respelled := func(text string) bool {
		return slices.ContainsFunc(values, func(value string) bool { return sameLetters(value, text) })
	}
	return []validator.String{
		NotEmpty,
		Limit(expected, func(text string) error {
			if slices.Contains(values, text) || !respelled(text) {
				return nil
			}
			return wrong(text)
		}),
		Unusual(expected, func(text string) error {
			if text == "" || respelled(text) {
				return nil
			}
			return wrong(text)
		}),
	}
}

// Alternatives returns texts as "a, b or c".
func Alternatives(texts []string) string {
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}

// MaxItems returns a validator that warns about a list with more items than
// public services of this kind accept, such as 100 rules.
func MaxItems(limit int, items string) validator.List {
	return lists{fmt.Sprintf("at most %d %s", limit, items), func(at path.Path, list types.List, diags *diag.Diagnostics) {
		if found := len(list.Elements()); found > limit {
			diags.AddAttributeWarning(at, "Unusual "+at.String(),
				fmt.Sprintf("Expected at most %d %s in %s; found %d. The service may reject them.", limit, items, at, found))
		}
	}}
}

// UsuallyFull returns a validator that warns about an empty list, and says why.
func UsuallyFull(reason string) validator.List {
	return lists{"not empty", func(at path.Path, list types.List, diags *diag.Diagnostics) {
		if len(list.Elements()) == 0 {
			diags.AddAttributeWarning(at, "Unusual "+at.String(), fmt.Sprintf("%s is empty. %s", at, reason))
		}
	}}
}

// NoDuplicates warns about the first duplicate string in a list.
var NoDuplicates validator.List = lists{"no duplicates", func(at path.Path, list types.List, diags *diag.Diagnostics) {
	seen := map[string]int{}
	for i, element := range list.Elements() {
		text, ok := element.(types.String)
		if !ok || !IsKnown(text) {
			continue
		}
		if first, again := seen[text.ValueString()]; again {
			diags.AddAttributeWarning(
				at.AtListIndex(i),
				"Unusual "+at.AtListIndex(i).String(),
				fmt.Sprintf(
					"%s is the same as %s: %s. The service may reject it.", at.AtListIndex(i), at.AtListIndex(first), quote.Value(text.ValueString()),
				),
			)
			return
		}
		seen[text.ValueString()] = i
	}
}}

// lists validates a list that a plan sets (see IsNew).
type lists struct {
	description string
	rule        func(path.Path, types.List, *diag.Diagnostics)
}

func (l lists) Description(context.Context) string         { return l.description }
func (l lists) MarkdownDescription(context.Context) string { return l.description }

func (l lists) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	if IsNew(ctx, req.Path, req.ConfigValue) {
		l.rule(req.Path, req.ConfigValue, &resp.Diagnostics)
	}
}
