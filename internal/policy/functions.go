package policy

import (
	"maps"
	"slices"
	"unicode"

	"cel.dev/cel-go/common/decls"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/parser"
)

// Functions that public services of this kind document, and that CEL does not
// have.
const (
	inRange  = "inCidrRange"
	inRanges = "inCidrRanges"
)

// expectations are what these functions expect, in messages.
var expectations = map[string]string{
	inRange:  inRange + " expects two strings",
	inRanges: inRanges + " expects a string and a list of strings",
}

// Functions returns the names of the functions and macros that evaluations know.
func Functions() []string {
	known, err := environments()
	if err != nil {
		return nil
	}
	names := []string{inRange, inRanges}
	for _, macro := range parser.AllMacros {
		names = append(names, macro.Function())
	}
	for name := range maps.Keys(known.others) {
		if unicode.IsLetter(rune(name[0])) { // others are operators
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// neverBool reports whether no overload of a function returns a bool.
func neverBool(function *decls.FunctionDecl) bool {
	return !slices.ContainsFunc(function.OverloadDecls(), func(overload *decls.OverloadDecl) bool {
		kind := overload.ResultType().Kind()
		return kind == types.BoolKind || kind == types.DynKind || kind == types.TypeParamKind
	})
}

// inCIDRRange reports whether an address is in a range.
func inCIDRRange(ip, cidr ref.Val) ref.Val {
	address, isText := ip.(types.String)
	block, alsoText := cidr.(types.String)
	if !isText || !alsoText {
		return types.NewErr("%s", expectations[inRange])
	}
	parsed, err := parseAddress(string(address))
	if err != nil {
		return types.NewErr("%s: %s", inRange, err)
	}
	prefix, err := parseBlock(block)
	if err != nil {
		return types.NewErr("%s: %s", inRange, err)
	}
	if err := definite(parsed, prefix); err != nil {
		return types.NewErr("%s: %s", inRange, err)
	}
	return types.Bool(prefix.Contains(parsed))
}

// inCIDRRanges reports whether an address is in one of several ranges.
func inCIDRRanges(ip, cidrs ref.Val) ref.Val {
	list, ok := cidrs.(traits.Lister)
	if !ok {
		return types.NewErr("%s", expectations[inRanges])
	}
	found := types.False
	for i := list.Iterator(); i.HasNext() == types.True; {
		switch in := inCIDRRange(ip, i.Next()).(type) {
		case types.Bool:
			if in == types.True {
				found = in
			}
		default:
			return in
		}
	}
	return found
}
