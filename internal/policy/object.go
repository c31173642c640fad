package policy

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// convert converts a value of a connection to a value of CEL. It returns nil for
// a value that is not known.
func (e *evaluator) convert(name string, value any) ref.Val {
	switch value := value.(type) {
	case string:
		return types.String(value)
	case bool:
		return types.Bool(value)
	case int64:
		return types.Int(value)
	case float64:
		return types.Double(value)
	case time.Time:
		return types.Timestamp{Time: value}
	case map[string]any:
		return e.object(name, value)
	case []any:
		elements := make([]ref.Val, len(value))
		for i, element := range value {
			elements[i] = e.convert("", element)
			if _, isObject := elements[i].(object); isObject || elements[i] == nil { // equality of the list cannot be known
				return nil
			}
		}
		return types.DefaultTypeAdapter.NativeToValue(elements)
	}
	return nil
}

// An object is a part of a connection that has members, such as conn. It may
// lack some: those are unknown.
type object struct {
	name    string
	members map[string]ref.Val
	of      *evaluator
}

func (e *evaluator) object(name string, value map[string]any) object {
	members := make(map[string]ref.Val, len(value))
	for member, value := range value {
		members[member] = e.convert(strings.TrimPrefix(name+"."+member, "."), value)
	}
	return object{name, members, e}
}

// notKnown returns the unknown value of a variable or function.
func (e *evaluator) notKnown(name string) ref.Val {
	if e.unknown[name] == nil {
		if len(e.unknown) == mostUnknown {
			e.meter.stop(fmt.Sprintf("the expression needs more than %d variables and functions that are not known", mostUnknown))
		}
		e.unknown[name] = types.NewUnknown(int64(len(e.unknown)), types.NewAttributeTrail(name))
	}
	return e.unknown[name]
}

var objectType = types.NewObjectType("object")

// Get returns a member.
func (o object) Get(key ref.Val) ref.Val {
	name, ok := key.(types.String)
	if !ok {
		return types.NewErr("%s has no key of type %s", o.name, key.Type().TypeName())
	}
	if value := o.members[string(name)]; value != nil {
		return value
	}
	return o.of.notKnown(strings.TrimPrefix(o.name+"."+string(name), "."))
}

// The interpreter calls only Get: closed replaces an object that is used as a
// whole by an unknown value.

func (o object) ConvertToNative(reflect.Type) (any, error) {
	return nil, fmt.Errorf("%s is an object", o.name)
}
func (o object) ConvertToType(ref.Type) ref.Val { return o.unknown() }
func (o object) Equal(ref.Val) ref.Val          { return o.unknown() }
func (o object) Type() ref.Type                 { return objectType }
func (o object) Value() any                     { return o.members }
func (o object) unknown() ref.Val               { return o.of.notKnown(o.name) }

// closed decorates a planned expression: where its value is an object, it is
// unknown, because the object may have more members than the connection says.
// Members can still be selected.
func closed(planned interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	if attribute, ok := planned.(interpreter.InterpretableAttribute); ok {
		return closedAttribute{attribute}, nil
	}
	return planned, nil
}

type closedAttribute struct {
	interpreter.InterpretableAttribute
}

// Exec evaluates the attribute.
func (c closedAttribute) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	value := c.InterpretableAttribute.Exec(frame)
	if o, ok := value.(object); ok {
		return o.unknown()
	}
	return value
}

// Eval evaluates the attribute.
func (c closedAttribute) Eval(vars interpreter.Activation) ref.Val {
	return interpreter.EvalActivation(vars, c.Exec)
}
