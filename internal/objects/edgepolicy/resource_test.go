package edgepolicy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// edge is an edge, with the resource type of its policy and the API path of its
// collection.
type edge struct {
	kind, edges, id string
}

func (e edge) address() string { return e.kind + ".test" }
func (e edge) path() string    { return e.edges + "/" + e.id + "/policy" }

// config returns a policy resource for the edge with the given arguments.
func (e edge) config(arguments ...string) string {
	return fmt.Sprintf("resource %q \"test\" {\n  edge_id = %q\n  %s\n}\n", e.kind, e.id, strings.Join(arguments, "\n  "))
}

// onOneEdge runs a test for a TLS edge. It is for tests whose result does not depend on
// the kind of edge, because both share one definition.
func onOneEdge(t *testing.T, test func(t *testing.T, w *acctest.Env, e edge)) {
	t.Parallel()
	w := acctest.Start(t)
	test(t, w, tlsEdge(w))
}

func tlsEdge(w *acctest.Env) edge {
	return edge{"tunnel_tls_edge_policy", "/edges/tls", w.CreateTLSEdge()}
}

// TestAccEdgePolicy_manyRules checks that a plan shows only what changes, and that a
// rule that is added by hand is removed.
func TestAccEdgePolicy_manyRules(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		rules := func(n int, word string) string {
			return e.config(fmt.Sprintf(`inbound = [for i in range(%d) : {
    name        = "rule ${i}"
    expressions = [for j in range(4) : "conn.client_ip.startsWith('10.${i}.${j}.')"]
    actions     = [{ type = "log", config = jsonencode({ metadata = { rule = i, note = { word = i == 57 ? %q : "same" } } }) }, { type = "deny" }]
  }]`, n, word))
		}
		tf := w.MeansTheSame(t, rules(99, "one"), rules(99, "one"))
		if inbound := tf.Attributes(t, e.address())["inbound"].([]any); len(inbound) != 99 {
			t.Errorf("%d rules in the state", len(inbound))
		}
		tf.ExpectPlan(t, rules(99, "two"), acctest.ExpectChanges(e.address(), "inbound[57].actions[0].config"))
		tf.Apply(t)
		rule := map[string]any{"name": "by hand", "expressions": []any{}, "actions": []any{map[string]any{"type": "deny"}}}
		policy := w.Get(e.path())
		byHand, err := json.Marshal(map[string]any{"inbound": append([]any{rule}, policy["inbound"].([]any)...)})
		if err != nil {
			t.Fatal(err)
		}
		w.Put(e.path(), string(byHand))
		tf.Apply(t)
		if rules := w.Get(e.path())["inbound"].([]any); len(rules) != 99 {
			t.Errorf("%d rules at the service, want 99", len(rules))
		}
		tf.ExpectNoChanges(t)
	})
}

// TestAccEdgePolicy_unknownRules has rules, actions and texts that terraform validate, or
// the plan, does not know. Their attributes are not missing.
func TestAccEdgePolicy_unknownRules(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		rule := `object({ name = optional(string), expressions = list(string), actions = list(object({ type = string, config = optional(string) })) })`
		for name, arguments := range map[string]string{
			"rule":           `inbound = [{ expressions = [], actions = [{ type = "log" }] }, var.rule]`,
			"action":         `inbound = [{ expressions = [], actions = [{ type = "log" }] }, { expressions = ["true"], actions = [var.rule.actions[0]] }]`,
			"rule by apply":  `inbound = [{ expressions = [], actions = [{ type = "log" }] }, terraform_data.rule.output]`,
			"rules by apply": `inbound = [for i in range(2) : terraform_data.rule.output]`,
			"types by apply": `inbound = [for i in range(2) : { expressions = [], actions = [for action in terraform_data.rule.output.actions : { type = action.type }] }]`,
			"texts by apply": `inbound = [for i in range(2) : {
    name        = terraform_data.rule.output.name
    expressions = terraform_data.rule.output.expressions
    actions     = [{ type = terraform_data.rule.output.actions[0].type }]
  }]`,
		} {
			config := fmt.Sprintf("variable \"rule\" {\n  type    = %s\n  default = { name = \"n\", expressions = [\"true\"], actions = [{ type = \"deny\" }] }\n}\n", rule) +
				"resource \"terraform_data\" \"rule\" {\n  input = var.rule\n}\n" + e.config(arguments)
			t.Run(name, func(t *testing.T) {
				tf := w.Terraform(t, config)
				tf.Run(t, "validate")
				tf.Apply(t)
				tf.ExpectNoChanges(t)
				if rules, _ := w.Get(e.path())["inbound"].([]any); len(rules) != 2 || !strings.Contains(fmt.Sprint(rules[1]), "deny") {
					t.Errorf("the policy has the rules %v", rules)
				}
				tf.Destroy(t)
			})
		}
		missing := w.Terraform(t, e.config(`inbound = [{ expressions = [] }]`))
		if out, err := missing.TryPlan(t); err == nil || !acctest.InError("attribute \"actions\" is required").MatchString(out) {
			t.Errorf("a rule without actions: %s", acctest.Summary(out))
		}
	})
}
