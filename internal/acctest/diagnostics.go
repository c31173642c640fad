package acctest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/vmihailenco/msgpack/v5"
)

// Validate validates a configuration like terraform validate. If the provider is
// configured, the plan of a creation must report the same, before anything else.
// Missing attributes are null.
func (p *Protocol) Validate(resource string, attributes map[string]tftypes.Value) []*tfprotov6.Diagnostic {
	p.t.Helper()
	validate := func(by tfprotov6.ProviderServer) []*tfprotov6.Diagnostic {
		resp, err := by.ValidateResourceConfig(p.t.Context(), &tfprotov6.ValidateResourceConfigRequest{
			TypeName: resource, Config: p.Dynamic(Object(p.Type(resource), attributes)),
			ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
		})
		if err != nil {
			p.t.Fatal(err)
		}
		return resp.Diagnostics
	}
	found := validate(p.unconfigured())
	if !p.configured || len(found) == 0 {
		return found
	}
	// The framework reports attributes in any order.
	early, planned := reported(found), reported(append(validate(p), p.PlanNew(resource, attributes).Diagnostics...))
	if slices.Sort(early); len(planned) < len(early) || !slices.Equal(slices.Sorted(slices.Values(planned[:len(early)])), early) {
		p.t.Errorf("a plan reports %q, terraform validate %q", planned, early)
	}
	return found
}

func reported(diags []*tfprotov6.Diagnostic) []string {
	var found []string
	for _, d := range diags {
		found = append(found, fmt.Sprintf("%s, %s: %s: %s", d.Severity, d.Attribute, d.Summary, d.Detail))
	}
	return found
}

// Check returns the diagnostics of the plan of a creation. Missing attributes are null.
func (p *Protocol) Check(resource string, attributes map[string]tftypes.Value) []*tfprotov6.Diagnostic {
	p.t.Helper()
	return p.PlanNew(resource, attributes).Diagnostics
}

// PlanNew plans the creation of a resource. Missing attributes are null.
func (p *Protocol) PlanNew(resource string, attributes map[string]tftypes.Value) *tfprotov6.PlanResourceChangeResponse {
	p.t.Helper()
	return p.Plan(resource, tftypes.NewValue(p.Type(resource), nil), Object(p.Type(resource), attributes))
}

// Kept returns the configuration that Terraform versions before 1.14 generate for an
// imported object: all attributes of the state except those that are only computed.
func (p *Protocol) Kept(resource string, state tftypes.Value) tftypes.Value {
	p.t.Helper()
	attributes := maps.Clone(p.Attributes(state)) // Attributes does not copy
	for _, attribute := range p.Schema.ResourceSchemas[resource].Block.Attributes {
		if attribute.Computed && !attribute.Optional {
			delete(attributes, attribute.Name)
		}
	}
	return Object(p.Type(resource), attributes)
}

// Generated returns the configuration that Terraform 1.14 or later generates
// for an imported object.
func (p *Protocol) Generated(resource string, state tftypes.Value) tftypes.Value {
	p.t.Helper()
	resp, err := p.GenerateResourceConfig(p.t.Context(), &tfprotov6.GenerateResourceConfigRequest{TypeName: resource, State: p.Dynamic(state)})
	if err != nil {
		p.t.Fatal(err)
	}
	p.Must(resp.Diagnostics)
	return p.Value(p.Type(resource), resp.Config)
}

// Text returns a string value.
func Text(text string) tftypes.Value { return tftypes.NewValue(tftypes.String, text) }

// Texts returns a list of strings.
func Texts(texts ...string) tftypes.Value {
	elements := make([]tftypes.Value, len(texts))
	for i, text := range texts {
		elements[i] = Text(text)
	}
	return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, elements)
}

// Number returns a number value.
func Number(n int64) tftypes.Value { return tftypes.NewValue(tftypes.Number, n) }

// JSON converts a value to the types that encoding/json can encode.
func JSON(t testing.TB, value tftypes.Value) (decoded any) {
	t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err == nil {
		err = msgpack.Unmarshal(encoded.MsgPack, &decoded)
	}
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// FromJSON converts decoded JSON to a value of a type. Missing members are null. It
// panics if the type lacks a member.
func FromJSON(of tftypes.Type, decoded any) tftypes.Value {
	text, err := json.Marshal(decoded)
	if err != nil {
		panic(err)
	}
	value, err := tfprotov6.RawState{JSON: text}.Unmarshal(of)
	if err != nil {
		panic(err)
	}
	return value
}

// At returns the path that diagnostics of a top-level attribute have: none if its
// value is secret, because Terraform prints it.
func At(attribute string) *tftypes.AttributePath {
	isSecret := func(kind Kind) bool { return kind.IsSecret(attribute) }
	if attribute == "api_key" || attribute == "headers" || slices.ContainsFunc(Kinds, isSecret) {
		return nil
	}
	return tftypes.NewAttributePath().WithAttributeName(attribute)
}

// Expect expects exactly one diagnostic, with the given severity and path. Its
// text must contain the given texts in this order.
func Expect(
	t *testing.T, diagnostics []*tfprotov6.Diagnostic, severity tfprotov6.DiagnosticSeverity, at *tftypes.AttributePath, texts ...string,
) {
	t.Helper()
	var found []string
	for _, d := range diagnostics {
		found = append(found, fmt.Sprintf("%s at %s: %s: %s", d.Severity, d.Attribute, d.Summary, d.Detail))
	}
	if len(diagnostics) != 1 {
		t.Fatalf("expected one diagnostic, found %d:\n%s", len(diagnostics), strings.Join(found, "\n"))
	}
	d := diagnostics[0]
	if strings.Contains(d.Detail, "found a private key") {
		at = nil // as for a secret attribute
	}
	if d.Severity != severity || !d.Attribute.Equal(at) {
		t.Errorf("expected %s at %s, found\n%s", severity, at, found[0])
	}
	rest := d.Summary + ": " + d.Detail
	for _, text := range texts {
		_, after, ok := strings.Cut(rest, text)
		if !ok {
			t.Errorf("expected %q in:\n%s", text, found[0])
			return
		}
		rest = after
	}
}

// ExpectNone expects no diagnostics.
func ExpectNone(t *testing.T, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	for _, d := range diagnostics {
		t.Errorf("unexpected %s at %s: %s: %s", d.Severity, d.Attribute, d.Summary, d.Detail)
	}
}

// FileTexts returns the forms in which editors and programs write the same text file.
func FileTexts(text string) map[string]string {
	const mark = "\ufeff"
	windows := strings.ReplaceAll(text, "\n", "\r\n")
	return map[string]string{
		"byte order mark": mark + text, "CRLF": windows, "both": mark + windows, "no line end": strings.TrimRight(text, "\n"),
	}
}
