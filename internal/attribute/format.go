// Package attribute is what values mean: notations in which different texts are
// the same thing, the rules that a value must keep, and what an empty value
// stands for. All that decides by content is a plain function; the types,
// validators and plan modifiers here only carry it into Terraform.
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

// A Format is a notation in which the same thing can be written in several ways.
type Format interface {
	// Name says what a text of the format is, as in "RFC 3339 timestamp".
	Name() string
	// Check says what is wrong with a text; nil where nothing is. It repeats
	// nothing of a text that could be secret.
	Check(text string) error
	// Same tells whether two texts mean the same. Texts that are wrong are the
	// same only where they are equal.
	Same(a, b string) bool
}

// Type is the type of attributes that hold a text of the format F. A value that
// comes back from the service spelled otherwise keeps the spelling that it had.
type Type[F Format] struct{ basetypes.StringType }

// Value is a value of Type[F].
type Value[F Format] struct{ basetypes.StringValue }

var (
	_ basetypes.StringTypable                    = Type[timestamp]{}
	_ basetypes.StringValuableWithSemanticEquals = Value[timestamp]{}
)

// Valid returns a validator of the format. The type itself does not validate: it
// would hold the service's own values to rules that are meant for what a user
// writes, and an object that breaks them could not even be read.
func (Type[F]) Valid() validator.String {
	var format F
	return check{title: "Invalid " + format.Name(), description: format.Name(), rule: format.Check}
}

// Of returns the value that holds a text; null where the text is "".
func (Type[F]) Of(text string) Value[F] {
	if text == "" {
		return Value[F]{basetypes.NewStringNull()}
	}
	return Value[F]{basetypes.NewStringValue(text)}
}

// Equal tells whether o is the same type.
func (t Type[F]) Equal(o attr.Type) bool {
	_, ok := o.(Type[F])
	return ok
}

// String names the type.
func (t Type[F]) String() string {
	var format F
	return "attribute.Type[" + format.Name() + "]"
}

// ValueType returns a value of this type, for its type alone.
func (t Type[F]) ValueType(context.Context) attr.Value { return Value[F]{} }

// ValueFromString makes a plain string value one of this type.
func (t Type[F]) ValueFromString(_ context.Context, in basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return Value[F]{in}, nil
}

// ValueFromTerraform makes a protocol value one of this type.
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

// String is for people, logs among them: a secret is not shown.
func (v Value[F]) String() string {
	var format F
	if _, secret := any(format).(interface{ secret() }); secret && Known(v) {
		return "(" + format.Name() + ")"
	}
	return v.StringValue.String()
}

// Equal tells whether o is the same text, to the letter.
func (v Value[F]) Equal(o attr.Value) bool {
	other, ok := o.(Value[F])
	return ok && v.StringValue.Equal(other.StringValue)
}

// StringSemanticEquals tells whether the service's spelling means what the
// known one means.
func (v Value[F]) StringSemanticEquals(_ context.Context, o basetypes.StringValuable) (bool, diag.Diagnostics) {
	other, ok := o.(Value[F])
	return ok && v.Same(other), nil
}

// Same tells whether both values are known and mean the same.
func (v Value[F]) Same(o Value[F]) bool {
	var format F
	return Known(v) && Known(o) &&
		(v.ValueString() == o.ValueString() || format.Same(v.ValueString(), o.ValueString()))
}

// Known tells whether a value is there: neither null nor unknown.
func Known(v attr.Value) bool { return !v.IsNull() && !v.IsUnknown() }

// KeepSame returns a plan modifier that puts the state's value back where the
// configuration only spells it otherwise. The framework does not do so at plan
// time by itself, so without it a change of spelling would plan an update, or a
// replacement.
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

// sentence makes of an error a diagnostic's detail.
func sentence(subject string, err error) string { return fmt.Sprintf("%s %s.", subject, err) }
