package policy

import (
	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/decls"
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/ext"
)

// stringFunctions returns the functions of cel-go's strings extension, which
// public services of this kind offer as well. Formatting is not among them: how
// a number is written differs between services.
func stringFunctions() ([]*decls.FunctionDecl, error) {
	extended, err := cel.NewCustomEnv(ext.Strings())
	if err != nil {
		return nil, err
	}
	var all []*decls.FunctionDecl
	for name, declared := range extended.Functions() {
		if name != "format" && name != "strings.quote" {
			all = append(all, declared)
		}
	}
	return all, nil
}

// counted returns a function that spends steps before it is called. A call of a
// string function takes at most the product of its arguments' sizes, in time and
// in memory.
func (m *meter) counted(function *functions.Overload) *functions.Overload {
	spend := func(arguments ...ref.Val) {
		product := 1.0
		for _, argument := range arguments {
			product *= 1 + bytesOf(argument)
		}
		m.spend(int(min(product/100, policySteps)))
	}
	limited := &functions.Overload{Operator: function.Operator, OperandTrait: function.OperandTrait, NonStrict: function.NonStrict}
	if function.Unary != nil {
		limited.Unary = func(value ref.Val) ref.Val {
			spend(value)
			return function.Unary(value)
		}
	}
	if function.Binary != nil {
		limited.Binary = func(one, other ref.Val) ref.Val {
			spend(one, other)
			return function.Binary(one, other)
		}
	}
	if function.Function != nil {
		limited.Function = func(arguments ...ref.Val) ref.Val {
			spend(arguments...)
			return function.Function(arguments...)
		}
	}
	return limited
}

// bytesOf returns about how many bytes a text or list has, and 0 for other values.
func bytesOf(value ref.Val) float64 {
	switch value := value.(type) {
	case types.String:
		return float64(len(value))
	case traits.Lister:
		return 10 * float64(valueSizes.AggregateSize(value))
	}
	return 0
}
