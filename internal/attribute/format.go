// Package attribute defines what attribute values mean: formats in which
// different texts have the same meaning, validation rules, and the meaning of
// empty values. The rules are plain functions. The types, validators and plan
// modifiers make them available to Terraform.
package attribute

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A Format is a text format in which the same value can be written in several
// ways.
type Format interface {
	// Name returns the name of the format, such as "RFC 3339 timestamp".
	Name() string
	// Check returns an error if text is not valid. The error repeats nothing of
	// a text that could be secret.
	Check(text string) error
	// Same reports whether two texts have the same meaning. It returns false
	// for texts that it cannot compare, even if they are equal; see Value.Same.
	Same(a, b string) bool
}

// A CanonicalFormat has one notation for each value. Values from the service get
// it, because a service may write the same value differently in each response.
type CanonicalFormat interface {
	Format
	// Canonical returns a text in this notation, or unchanged if it is not valid.
	Canonical(text string) string
}

// A SecretFormat is the format of texts that are never shown.
type SecretFormat interface {
	Format
	Secret()
}

// Type is the type of attributes that hold a text of the format F. If the
// service returns a different text with the same meaning, the state keeps the
// known text.
type Type[F Format] struct{ basetypes.StringType }

// Value is a value of Type[F].
type Value[F Format] struct{ basetypes.StringValue }

var (
	_ basetypes.StringTypable                    = Type[timestamp]{}
	_ basetypes.StringValuableWithSemanticEquals = Value[timestamp]{}
)

// Valid returns a validator of the format. The type itself does not validate,
// because it would also apply the rules for configuration to values of the
// service. An object that violates them could not be read.
func (Type[F]) Valid() validator.String {
	var format F
	_, secret := any(format).(SecretFormat)
	return check{title: "Invalid " + format.Name(), description: format.Name(), rule: format.Check, secret: secret}
}

// Of returns the value that holds a text of the service, or null if the text is
// empty. If the format has a canonical notation, the value has it.
func (Type[F]) Of(text string) Value[F] {
	if text == "" {
		return Value[F]{basetypes.NewStringNull()}
	}
	var format F
	if f, ok := any(format).(CanonicalFormat); ok {
		text = f.Canonical(text)
	}
	return Value[F]{basetypes.NewStringValue(text)}
}

// Equal reports whether o is the same type.
func (t Type[F]) Equal(o attr.Type) bool {
	_, ok := o.(Type[F])
	return ok
}

// String returns the name of the type.
func (t Type[F]) String() string {
	var format F
	return "attribute.Type[" + format.Name() + "]"
}

// ValueType returns an empty Value[F].
func (t Type[F]) ValueType(context.Context) attr.Value { return Value[F]{} }

// ValueFromString converts a string value to a value of this type.
func (t Type[F]) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return Value[F]{in}, nil
}

// ValueFromTerraform converts a protocol value to a value of this type.
func (t Type[F]) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	text, ok := value.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("unexpected value type %T", value)
	}
	return Value[F]{text}, nil
}

// Type returns Type[F].
func (v Value[F]) Type(context.Context) attr.Type { return Type[F]{} }

// String returns a text for people and logs. It does not show a secret.
func (v Value[F]) String() string {
	var format F
	if _, secret := any(format).(SecretFormat); secret && IsKnown(v) {
		return "(" + format.Name() + ")"
	}
	return v.StringValue.String()
}

// Equal reports whether o has the same type and exactly the same text.
func (v Value[F]) Equal(o attr.Value) bool {
	other, ok := o.(Value[F])
	return ok && v.StringValue.Equal(other.StringValue)
}

// StringSemanticEquals reports whether the service's value and the known value
// have the same meaning.
func (v Value[F]) StringSemanticEquals(_ context.Context, o basetypes.StringValuable) (bool, diag.Diagnostics) {
	other, ok := o.(Value[F])
	return ok && v.Same(other), nil
}

// Same reports whether both values are known and have the same meaning.
func (v Value[F]) Same(o Value[F]) bool {
	var format F
	return IsKnown(v) && IsKnown(o) &&
		(v.ValueString() == o.ValueString() || format.Same(v.ValueString(), o.ValueString()))
}

// IsKnown reports whether a value is neither null nor unknown.
func IsKnown(v attr.Value) bool { return !v.IsNull() && !v.IsUnknown() }

// KeepSame returns a plan modifier that keeps the state's value if the planned
// value has the same meaning. The framework does not do this at plan time, so
// without it a change of notation would plan an update or a replacement.
func (Type[F]) KeepSame() planmodifier.String { return keepSame[F]{} }

type keepSame[F Format] struct{}

func (keepSame[F]) Description(context.Context) string {
	var format F
	return "Formatting differences of the same " + format.Name() + " are ignored."
}

func (m keepSame[F]) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (keepSame[F]) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if (Value[F]{req.PlanValue}).Same(Value[F]{req.StateValue}) {
		resp.PlanValue = req.StateValue
	}
}
