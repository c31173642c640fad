package policy

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"cel.dev/cel-go/common"
	"cel.dev/cel-go/common/ast"
	"cel.dev/cel-go/common/containers"
	"cel.dev/cel-go/common/decls"
	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/stdlib"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// environment is what all evaluations share. It is created by the first
// evaluation, because most runs of the provider evaluate nothing.
type environment struct {
	types      *types.Registry
	functions  interpreter.Dispatcher
	others     map[string]bool // the standard functions; whether their result is never a bool
	methods    map[string]bool // functions that can be called as x.f()
	counted    map[string]bool // functions whose calls are counted; see meter.counted
	attributes interpreter.AttributeFactory
}

var environments = sync.OnceValues(func() (*environment, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, err
	}
	dispatcher := interpreter.NewDispatcher()
	extended, err := stringFunctions()
	if err != nil {
		return nil, err
	}
	others, methods, counted := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, declared := range extended {
		counted[declared.Name()] = true
	}
	for _, declared := range slices.Concat(stdlib.Functions(), extended) {
		bindings, err := declared.Bindings()
		if err != nil {
			return nil, err
		}
		if err := dispatcher.Add(bindings...); err != nil {
			return nil, err
		}
		others[declared.Name()] = neverBool(declared)
		methods[declared.Name()] = slices.ContainsFunc(declared.OverloadDecls(), (*decls.OverloadDecl).IsMemberFunction)
	}
	err = dispatcher.Add(
		&functions.Overload{Operator: inRange, Binary: inCIDRRange}, &functions.Overload{Operator: inRanges, Binary: inCIDRRanges},
	)
	if err != nil {
		return nil, err
	}
	attributes := interpreter.NewAttributeFactory(containers.DefaultContainer, registry, registry)
	return &environment{registry, dispatcher, others, methods, counted, attributes}, nil
})

// An evaluator evaluates the expressions of one policy for one connection. It
// resolves their variables.
type evaluator struct {
	*environment
	ctx        context.Context
	connection map[string]any
	variables  object             // the connection
	unknown    map[string]ref.Val // of the current expression
	meter      *meter             // of the current expression
	left       uint64             // steps
}

func newEvaluator(ctx context.Context, connection map[string]any) *evaluator {
	e := &evaluator{ctx: ctx, connection: connection, unknown: map[string]ref.Val{}, left: policySteps}
	e.variables = e.object("", connection)
	return e
}

// evaluate evaluates an expression. It returns a gap if the result is maybe.
func (e *evaluator) evaluate(expression string) (truth, *gap) {
	var err error
	if e.environment, err = environments(); err != nil {
		return maybe, &gap{reason: err.Error()}
	}
	m := e.newMeter(expression)
	if e.meter = m; m.stopped != "" {
		return maybe, &gap{reason: m.stopped}
	}
	parsed, problems := Parse(common.NewTextSource(expression))
	if len(problems.GetErrors()) > 0 {
		return maybe, &gap{reason: "the expression is not valid CEL"}
	}
	clear(e.unknown)
	value := m.guard(func() ref.Val {
		program, err := e.program(parsed)
		if err != nil {
			return types.WrapErr(err)
		}
		return program.Eval(e)
	})
	if e.left += m.left; m.stopped != "" {
		return maybe, &gap{reason: m.stopped}
	}
	switch value := value.(type) {
	case types.Bool:
		if value == types.True {
			return yes, nil
		}
		return no, nil
	case *types.Unknown:
		return maybe, notKnown(e.connection, names(value, parsed)...)
	case *types.Err:
		for _, problem := range check(parsed, expression) {
			if problem.Kind == NoAddress {
				return maybe, &gap{reason: problem.Reason}
			}
		}
		return maybe, &gap{reason: failure(value, parsed)}
	default:
		return maybe, &gap{reason: "the result must be true or false; found " + withArticle(value.Type().TypeName())}
	}
}

// failure explains why an expression fails.
func failure(err *types.Err, parsed *ast.AST) string {
	text := quote.Foreign(strings.TrimSpace(err.String()))
	if !strings.HasPrefix(text, "no such overload") {
		return text
	}
	what := "an operator or a function"
	ast.PostOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(part ast.Expr) {
		if part.ID() == err.NodeID() && part.Kind() == ast.CallKind {
			what = displayName(part.AsCall())
		}
	}))
	return what + " does not take values of these types: check the types in the expression and in the connection"
}

// program plans the evaluation of an expression. Functions that are not known
// return an unknown value.
func (e *evaluator) program(parsed *ast.AST) (interpreter.InterpretableV2, error) {
	dispatcher := interpreter.ExtendDispatcher(e.functions)
	err := dispatcher.Add(&functions.Overload{Operator: overloads.Matches, Binary: e.meter.matches})
	added := map[string]bool{}
	ast.PostOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(part ast.Expr) {
		if part.Kind() != ast.CallKind {
			return
		}
		name := part.AsCall().FunctionName()
		function, known := e.functions.FindOverload(name)
		if added[name] || known && !e.counted[name] {
			return
		}
		added[name] = true
		if known {
			err = cmp.Or(err, dispatcher.Add(e.meter.counted(function)))
			return
		}
		unknown := e.notKnown(name + "()")
		err = cmp.Or(err, dispatcher.Add(&functions.Overload{
			Operator: name, NonStrict: true,
			Unary:    func(ref.Val) ref.Val { return unknown },
			Binary:   func(ref.Val, ref.Val) ref.Val { return unknown },
			Function: func(...ref.Val) ref.Val { return unknown },
		}))
	}))
	if err != nil {
		return nil, err
	}
	planner := interpreter.NewInterpreter(dispatcher, containers.DefaultContainer, e.types, e.types, e.attributes)
	return planner.NewInterpretable(
		parsed, interpreter.CustomDecoratorV2(closed),
		interpreter.EvalStateObserver(interpreter.EvalStateFactory(func() interpreter.EvalState { return e.meter })),
	)
}

// ResolveName returns the value of a variable. The interpreter also calls it
// with qualified names, such as conn.client_ip, and names of types.
func (e *evaluator) ResolveName(name string) (any, bool) {
	if strings.Contains(name, ".") {
		return nil, false
	}
	if _, isType := e.types.FindIdent(name); isType {
		return nil, false
	}
	return e.variables.Get(types.String(name)), true
}

// Parent returns nil: there are no other variables.
func (e *evaluator) Parent() interpreter.Activation { return nil }

// names returns the names of the variables and functions of an unknown value.
// If the connection lacks a part of a variable, such as conn.geo in
// conn.geo.city, it returns the whole name.
func names(unknown *types.Unknown, parsed *ast.AST) []string {
	found := map[string]bool{}
	variables := Variables(parsed)
	for _, id := range unknown.IDs() {
		trails, _ := unknown.GetAttributeTrails(id)
		for _, trail := range trails {
			from, _ := slices.BinarySearch(variables, trail.Variable()+".")
			to := from
			for to < len(variables) && strings.HasPrefix(variables[to], trail.Variable()+".") {
				found[variables[to]] = true
				to++
			}
			if to == from {
				found[trail.Variable()] = true
			}
		}
	}
	all := slices.Sorted(maps.Keys(found))
	for i, name := range all {
		all[i] = quote.Foreign(name)
	}
	return all
}

// Variables returns the names of the variables of an expression, such as
// conn.client_ip, except those that a macro declares.
func Variables(parsed *ast.AST) []string {
	found := map[string]bool{}
	declared := map[string]bool{}
	part := map[int64]bool{} // expressions that are part of a longer name
	ast.PreOrderVisit(parsed.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.ComprehensionKind {
			c := e.AsComprehension()
			declared[c.IterVar()], declared[c.AccuVar()] = true, true
			return
		}
		if part[e.ID()] || e.Kind() != ast.SelectKind && e.Kind() != ast.IdentKind {
			return
		}
		name := ""
		for e.Kind() == ast.SelectKind {
			name = "." + e.AsSelect().FieldName() + name
			e = e.AsSelect().Operand()
			part[e.ID()] = true
		}
		if e.Kind() == ast.IdentKind {
			found[e.AsIdent()+name] = true
		}
	}))
	for name := range found {
		if root, _, _ := strings.Cut(name, "."); declared[root] {
			delete(found, name)
		}
	}
	return slices.Sorted(maps.Keys(found))
}
