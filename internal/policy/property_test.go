package policy

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"pgregory.net/rapid"
)

// reference evaluates an expression with cel-go's own environment. All
// variables are known.
func reference(t interface{ Fatal(...any) }, expression string, connection map[string]any) truth {
	env, err := cel.NewEnv(cel.Function("inCidrRange", cel.Overload("in_cidr_range", []*cel.Type{cel.StringType, cel.StringType}, cel.BoolType,
		cel.BinaryBinding(func(ip, cidr ref.Val) ref.Val {
			address, err := netip.ParseAddr(fmt.Sprint(ip.Value()))
			prefix, alsoErr := netip.ParsePrefix(fmt.Sprint(cidr.Value()))
			if err != nil || alsoErr != nil {
				return types.NewErr("invalid")
			}
			return types.Bool(prefix.Contains(address))
		}))))
	if err != nil {
		t.Fatal(err)
	}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return maybe
	}
	program, err := env.Program(parsed)
	if err != nil {
		t.Fatal(err)
	}
	value, _, err := program.Eval(connection)
	switch {
	case err != nil:
		return maybe
	case value == types.True:
		return yes
	case value == types.False:
		return no
	}
	return maybe
}

var leaves = []string{"ip", "port", "ratio", "flag", "sni", "labels"}

// expressions generates expressions of one type: 0 is bool, 1 is int, 2 is
// string. Some of them fail, because a type does not fit.
func expressions(kind, depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		part := func(kind int) string {
			if depth <= 0 {
				return rapid.SampledFrom([][]string{
					{"true", "false", "conn.flag", "has(conn.sni)"},
					{"0", "1", "7", "conn.port", "size(conn.labels)"},
					{"''", "'a'", "'10.0.0.1'", "'10.0.0.0/8'", "conn.ip", "conn.sni", "conn['ip']"},
				}[kind]).Draw(t, "leaf")
			}
			return expressions(kind, depth-1).Draw(t, "part")
		}
		switch kind {
		case 1:
			return fmt.Sprintf(rapid.SampledFrom([]string{"(%s + %s)", "(%s / %s)", "(true ? %s : %s)"}).Draw(t, "int"), part(1), part(1))
		case 2:
			return fmt.Sprintf("(%s + %s)", part(2), part(2))
		}
		switch rapid.IntRange(0, 9).Draw(t, "bool") {
		case 0:
			return "!" + part(0)
		case 1:
			return fmt.Sprintf("(%s && %s)", part(0), part(0))
		case 2:
			return fmt.Sprintf("(%s || %s)", part(0), part(0))
		case 3:
			return fmt.Sprintf("(%s ? %s : %s)", part(0), part(0), part(0))
		case 4:
			return fmt.Sprintf("(%s in [%s, %s])", part(2), part(2), part(2))
		case 5:
			return fmt.Sprintf("(%s %s %s)", part(1), rapid.SampledFrom([]string{"==", "<", ">="}).Draw(t, "operator"), part(rapid.IntRange(1, 2).Draw(t, "kind")))
		case 6:
			return fmt.Sprintf("inCidrRange(%s, %s)", part(2), part(2))
		case 7:
			return fmt.Sprintf("conn.labels.%s(l, l == %s)", rapid.SampledFrom([]string{"exists", "all", "exists_one"}).Draw(t, "macro"), part(2))
		case 8:
			return fmt.Sprintf("%s.startsWith(%s)", part(2), part(2))
		}
		return fmt.Sprintf("(conn.ratio < %d.5 || %s == %s)", rapid.IntRange(0, 1).Draw(t, "ratio"), part(2), part(2))
	})
}

// TestEvaluate_equalsCEL compares random expressions with cel-go's own result
// if all variables are known. If some are not, the result is the same or maybe.
func TestEvaluate_equalsCEL(t *testing.T) {
	t.Parallel()
	counts := map[truth]int{}
	determined := 0
	rapid.Check(t, func(t *rapid.T) {
		expression := expressions(0, rapid.IntRange(0, 3).Draw(t, "depth")).Draw(t, "expression")
		conn := map[string]any{
			"ip": rapid.SampledFrom([]string{"10.0.0.1", "192.0.2.1", "2001:db8::1"}).Draw(t, "ip"), "port": rapid.Int64Range(0, 9).Draw(t, "port"),
			"ratio": rapid.Float64Range(0, 2).Draw(t, "ratio"), "flag": rapid.Bool().Draw(t, "flag"), "sni": rapid.SampledFrom([]string{"", "a", "aa"}).Draw(t, "sni"),
			"labels": []any{"a", rapid.SampledFrom([]string{"a", "b", "10.0.0.1"}).Draw(t, "label")},
		}
		want := reference(t, expression, map[string]any{"conn": conn})
		got, found := newEvaluator(context.Background(), map[string]any{"conn": conn}).evaluate(expression)
		if got != want || (found == nil) != (got != maybe) {
			t.Fatalf("%s: %d (%+v), want %d", expression, got, found, want)
		}
		counts[got]++
		partial := maps.Clone(conn)
		for _, name := range leaves {
			if rapid.Bool().Draw(t, "without "+name) {
				delete(partial, name)
			}
		}
		if less, _ := newEvaluator(context.Background(), map[string]any{"conn": partial}).evaluate(expression); less != maybe {
			determined++
			if less != want {
				t.Fatalf("%s with %v: %d, but %d with %v", expression, partial, less, want, conn)
			}
		}
	})
	if counts[yes] == 0 || counts[no] == 0 || counts[maybe] == 0 || determined == 0 {
		t.Errorf("the expressions do not cover all results: %v, %d determined without all variables", counts, determined)
	}
}

// FuzzEvaluate_equalsCEL checks that evaluation never panics, and that what it
// determines is cel-go's own result.
func FuzzEvaluate_equalsCEL(f *testing.F) {
	for _, expression := range []string{
		"conn.ip == '10.0.0.1'", "has(conn.sni) && conn.sni.endsWith('a')", "conn.labels.exists(l, l == 'a')", "inCidrRange(conn.ip, '10.0.0.0/8')",
		"conn == {}", "conn.tls.sni", "[conn.ip].map(x, x)[0] == conn['ip']", "type(conn)", "size(conn)", "f(conn).g", "{'a': conn}.a.ip == '1'", "a.b.c()", "google.protobuf.Int32Value{value: 1} == 1", "timestamp('x')", "conn.labels[5]",
	} {
		f.Add(expression)
	}
	conn := map[string]any{"ip": "10.0.0.1", "sni": "a", "labels": []any{"a", "b"}}
	f.Fuzz(func(t *testing.T, expression string) {
		got, found := newEvaluator(context.Background(), map[string]any{"conn": conn}).evaluate(expression)
		if (found == nil) != (got != maybe) {
			t.Errorf("%q: %d, %+v", expression, got, found)
		}
		if got == maybe {
			return
		}
		if want := reference(t, expression, map[string]any{"conn": conn}); want != maybe && got != want {
			t.Errorf("%q: %d, want %d", expression, got, want)
		}
	})
}
