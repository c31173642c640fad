package policy

import (
	"context"
	"fmt"
	"strings"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// A policy can be foreign: a few hundred bytes of nested macros would work for
// hours, or fill the memory. The limits are far above what policies need, and a
// decision that reaches them takes less than a second. A step is the evaluation
// of one part of an expression; parts with large values count more.
const (
	policySteps     = 500_000
	expressionSteps = 100_000
	// largestValue is the maximum size of a value: its elements, and ten bytes of
	// text count as one.
	largestValue = 10_000
	// mostUnknown is the maximum number of variables and functions of an
	// expression that are not known. cel-go merges them pairwise.
	mostUnknown = 200
)

// A meter counts the steps of one evaluation, and stops it. The interpreter
// reports each value to it. cel-go has a cost limit of its own, but that prices a
// call by the types of its arguments, which are not known here, and a literal not
// at all.
type meter struct {
	ctx     context.Context
	left    uint64
	calls   uint
	stopped string // why the evaluation was stopped
}

// newMeter returns the meter of an expression. Parsing it takes steps as well.
func (e *evaluator) newMeter(expression string) *meter {
	m := &meter{ctx: e.ctx}
	parsing := uint64(len(expression)) / 10
	switch {
	case e.ctx.Err() != nil:
		m.stopped = "the evaluation was canceled"
	case parsing >= e.left:
		e.left = 0
		m.stopped = fmt.Sprintf("the expressions of the policy take more than %d steps to evaluate", policySteps)
	default:
		m.left = min(e.left-parsing, expressionSteps)
		e.left -= parsing + m.left
	}
	return m
}

// exceeded is what stop panics with.
type exceeded struct{}

func (m *meter) stop(reason string) {
	m.stopped = reason
	panic(exceeded{})
}

// SetValue counts a value. It implements interpreter.EvalState.
func (m *meter) SetValue(_ int64, value ref.Val) {
	if m.calls++; m.calls%256 == 0 && m.ctx.Err() != nil {
		m.stop("the evaluation was canceled")
	}
	if unknown, ok := value.(*types.Unknown); ok {
		m.spend(1 + len(unknown.IDs())/10)
		return
	}
	size := valueSizes.AggregateSize(value)
	if size > largestValue {
		m.stop("the expression has values that are too large to evaluate")
	}
	m.spend(1 + int(size)/100)
}

func (m *meter) spend(steps int) {
	if uint64(steps) > m.left {
		m.left = 0
		m.stop("the expression takes too many steps to evaluate")
	}
	m.left -= uint64(steps)
}

// matches is the function matches of CEL. Its time is the product of the text
// and of the compiled pattern, in which a{1000} is a thousand times a.
func (m *meter) matches(text, pattern ref.Val) ref.Val {
	t, isText := text.(types.String)
	p, alsoText := pattern.(types.String)
	if !isText || !alsoText {
		return types.NewErr("no such overload")
	}
	compiling := len(p)
	if strings.Contains(string(p), "{") {
		compiling *= 100
	}
	m.spend(compiling)
	size, err := types.RegexProgramSize(string(p))
	if err != nil {
		return types.WrapErr(err)
	}
	m.spend(len(t) * size / 100)
	return t.Match(p)
}

// valueSizes measures values. A value that is nested deeper than expressions can
// be, or that has more elements than the limit, is larger than any limit.
var valueSizes = types.NewSizeCalculator(types.SizeCalculatorMaxDepth(1000), types.SizeCalculatorMaxTraversal(largestValue))

// A meter keeps no values.

func (*meter) IDs() []int64                { return nil }
func (*meter) Value(int64) (ref.Val, bool) { return nil, false }
func (*meter) Reset()                      {}

// guard evaluates an expression, up to the limits.
func (m *meter) guard(evaluate func() ref.Val) (value ref.Val) {
	defer func() {
		switch problem := recover(); problem.(type) {
		case nil, exceeded:
		default: // cel-go's own programs do not pass on a panic either
			value = types.NewErr("%v", problem)
		}
	}()
	return evaluate()
}
