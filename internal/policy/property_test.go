package policy

import (
	"context"
	"fmt"
	"net/netip"
	"testing"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
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
