package sshcredential_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// manyRules is more than the time of a quadratic step allows: 4,000 rules have 8 million
// pairs.
const manyRules = 4_000

// TestSSHCredential_manyRules checks that plans, applies and decisions of a large ACL
// take no more than a few seconds of the provider, and that its order has no meaning.
func TestSSHCredential_manyRules(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	rules := make([]string, manyRules)
	for i := range rules {
		rules[i] = fmt.Sprintf("bind:host-%d.example.com", i)
	}
	key := testcert.PublicKey(t, "")
	const limit = time.Minute // on a very busy machine; a quadratic step takes longer
	timed := func(what string, work func()) {
		t.Helper()
		begin := time.Now()
		work()
		if took := time.Since(begin); took > limit {
			t.Errorf("%s took %s", what, took)
		} else {
			t.Logf("%s took %s", what, took)
		}
	}
	reversed := slices.Clone(rules)
	slices.Reverse(reversed)
	config := func(rules []string) tftypes.Value {
		return acctest.FromJSON(p.Type(kind), map[string]any{"public_key": key, "acl": asAny(rules)})
	}
	state := tftypes.NewValue(p.Type(kind), nil)
	timed("creation", func() {
		var found []*tfprotov6.Diagnostic
		state, found = p.Apply(kind, state, config(rules))
		acctest.ExpectNone(t, found)
	})
	timed("refresh", func() { state, _ = p.Read(kind, state, nil) })
	timed("plan in another order", func() {
		resp := p.Plan(kind, state, config(reversed))
		acctest.ExpectNone(t, resp.Diagnostics)
		if planned := p.Value(p.Type(kind), resp.PlannedState); !planned.Equal(state) {
			t.Error("the order of the rules plans a change")
		}
	})
	timed("update", func() {
		var found []*tfprotov6.Diagnostic
		state, found = p.Apply(kind, state, config(append(reversed[1:], "bind:other.example.com")))
		acctest.ExpectNone(t, found)
	})
	timed("acl_allows", func() {
		if got, wrong := p.Call("acl_allows", acctest.Texts(rules...), acctest.Text("host-3999.example.com")); wrong != nil || !got.Equal(tftypes.NewValue(tftypes.Bool, true)) {
			t.Errorf("%s, %+v", got, wrong)
		}
	})
}

func asAny(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}
