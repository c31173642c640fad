package crud

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// identify writes a model's keys into an identity.
func (s *base) identify(ctx context.Context, model any, identity *tfsdk.ResourceIdentity) diag.Diagnostics {
	var diags diag.Diagnostics
	if identity == nil {
		return diags
	}
	for _, key := range s.kind.Keys {
		diags.Append(identity.SetAttribute(ctx, path.Root(key.Name), *key.Of(model))...)
	}
	return diags
}

// ImportState imports an object by its import id, which is the keys separated
// by slashes, or by its identity.
func (r *kindResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	values := make([]types.String, len(r.kind.Keys))
	if req.ID != "" || req.Identity == nil || req.Identity.Raw.IsNull() {
		parts, err := splitImportID(req.ID, r.kind.importForm())
		if err != nil {
			resp.Diagnostics.AddError("Invalid import ID", capital(err.Error())+". "+r.kind.toFind())
			return
		}
		for i, part := range parts {
			values[i] = types.StringValue(part)
		}
	} else {
		for i, key := range r.kind.Keys {
			at := path.Root(key.Name)
			resp.Diagnostics.Append(req.Identity.GetAttribute(ctx, at, &values[i])...)
			if err := checkKey(values[i].ValueString()); err != nil {
				resp.Diagnostics.AddAttributeError(at, "Invalid import identity",
					fmt.Sprintf("The identity attribute %s %s. Expected a value such as %q.", key.Name, err, key.Example))
			}
		}
		if resp.Diagnostics.HasError() {
			return
		}
	}
	for i, key := range r.kind.Keys {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(key.Name), values[i])...)
		if resp.Identity != nil {
			resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(key.Name), values[i])...)
		}
	}
}

// imports reports whether a state has nothing but the keys of its object. Then
// the object has not been read before.
func (s *base) imports(raw tftypes.Value) bool {
	for name, value := range membersOf(raw) {
		if !value.IsNull() && !slices.ContainsFunc(s.kind.Keys, func(key Key[any]) bool { return key.Name == name }) {
			return false
		}
	}
	return true
}

func membersOf(raw tftypes.Value) map[string]tftypes.Value {
	var values map[string]tftypes.Value
	if raw.As(&values) != nil {
		return nil
	}
	return values
}

// An importForm describes an import id: the names of its parts, and an example
// of each.
type importForm struct{ names, examples []string }

func (k *Definition) importForm() importForm {
	var form importForm
	for _, key := range k.Keys {
		form.names = append(form.names, key.Name)
		form.examples = append(form.examples, key.Example)
	}
	return form
}

// String returns the form and an example, as in "edge_id/route_id, such as
// edghts_2abc/edghtsrt_2abc".
func (f importForm) String() string {
	return strings.Join(f.names, "/") + ", such as " + strings.Join(f.examples, "/")
}

// splitImportID splits an import id into its parts. The error shows the form
// and an example.
func splitImportID(id string, form importForm) ([]string, error) {
	if strings.Contains(id, "://") {
		return nil, fmt.Errorf("expected %s; found a URI: %s. Use only the IDs in it", form, quoteIDs(id))
	}
	if id == "" {
		return nil, fmt.Errorf("expected %s; found an empty string", form)
	}
	parts := strings.Split(id, "/")
	if len(parts) == 1 && len(form.names) > 1 {
		return nil, fmt.Errorf("expected %s; found no slash in %s", form, quoteIDs(id))
	}
	if len(parts) != len(form.names) {
		return nil, fmt.Errorf("expected %s; found %d parts in %s", form, len(parts), quoteIDs(id))
	}
	for i, part := range parts {
		if err := checkKey(part); err != nil {
			return nil, fmt.Errorf("expected %s; the %s in %s %w", form, form.names[i], quoteIDs(id), err)
		}
	}
	return parts, nil
}

// quoteIDs returns ids that a user configured, with slashes between them, in
// quotation marks for a message. A long word can be a private key in a wrong
// place: only its beginning is shown.
func quoteIDs(ids string) string {
	return attribute.Quote(idWord.ReplaceAllStringFunc(ids, api.ShortID))
}

var idWord = regexp.MustCompile(`[^\s/]+`)

// checkKey returns an error if text cannot be a key of an object: it is empty
// (as for null), or contains a character that no id contains.
func checkKey(text string) error {
	switch {
	case text == "":
		return errors.New("is empty")
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || unicode.IsSpace(r) }):
		return errors.New("contains whitespace or a control character")
	case strings.Contains(text, "/"):
		return errors.New("contains a slash")
	case quote.HasPrivateKey(text):
		return errors.New("contains a private key")
	}
	return nil
}

// importID returns the import id of the object that a model describes.
func (s *base) importID(model any) string {
	parts := make([]string, len(s.kind.Keys))
	for i, key := range s.kind.Keys {
		parts[i] = key.Of(model).ValueString()
	}
	return strings.Join(parts, "/")
}

// address returns the address of a resource of this kind, with NAME as a
// placeholder.
func (s *base) address() string { return Type(s.kind.Kind) + ".NAME" }

// keys returns the keys of an object for an error, such as `edge_id =
// "edgtls_2abc"`.
func (s *base) keys(model any) string {
	parts := make([]string, len(s.kind.Keys))
	for i, key := range s.kind.Keys {
		parts[i] = fmt.Sprintf("%s = %s", key.Name, quoteIDs(key.Of(model).ValueString()))
	}
	return strings.Join(parts, ", ")
}

// checkIDAdvice says what to do about an object that is not found.
const checkIDAdvice = "Check the ID, and that the API key belongs to the same account."

// howToImport shows the two ways to import an object: the command and the
// import block.
func (r *kindResource) howToImport(model any) string { return r.howToImportID(r.importID(model)) }

func (r *kindResource) howToImportID(id string) string {
	address, word := r.address(), id
	if !plainWord.MatchString(id) { // the service chose it, and somebody copies it
		word = "'" + strings.ReplaceAll(id, "'", `'\''`) + "'"
	}
	text := strings.NewReplacer("${", "$${", "%{", "%%{").Replace(strconv.Quote(id))
	return fmt.Sprintf("  terraform import %s %s\n\nor with this block in the configuration:\n\n  import {\n    to = %s\n    id = %s\n  }\n\n"+
		"If the resource has count or for_each, add the key of the instance, such as '%s[\"a\"]'.", address, word, address, text, address)
}

// plainWord matches an id that means nothing else to a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_.:/-]+$`)
