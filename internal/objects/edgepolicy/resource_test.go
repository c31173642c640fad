package edgepolicy_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestEdgePolicy_manyRules checks that a plan shows only what changes, and that a rule
// that is added by hand is removed.
func TestEdgePolicy_manyRules(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p, edge := w.Protocol(t), w.Create("/edges/tls", "{}")
	path := "/edges/tls/" + edge + "/policy"
	config := func(word string) tftypes.Value {
		inbound := make([]any, 99)
		for i := range inbound {
			note := "same"
			if i == 57 {
				note = word
			}
			log := map[string]any{"type": "log", "config": fmt.Sprintf(`{"metadata": {"rule": %d, "note": %q}}`, i, note)}
			inbound[i] = map[string]any{
				"name": fmt.Sprint("rule ", i), "expressions": []any{fmt.Sprintf("conn.client_ip.startsWith('10.%d.')", i)},
				"actions": []any{log, map[string]any{"type": "deny"}},
			}
		}
		return acctest.FromJSON(p.Type(kind), map[string]any{"edge_id": edge, "inbound": inbound})
	}
	state, found := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), config("one"))
	acctest.ExpectNone(t, found)
	diff, err := state.Diff(p.Value(state.Type(), p.Plan(kind, state, config("two")).PlannedState))
	if err != nil || len(diff) != 1 || !strings.Contains(diff[0].Path.String(), `ElementKeyInt(57)`) || !strings.HasSuffix(diff[0].Path.String(), `AttributeName("config")`) {
		t.Errorf("the plan changes %v: %v", diff, err)
	}
	rules := w.Get(path)["inbound"].([]any)
	byHand, err := json.Marshal(map[string]any{"inbound": append([]any{map[string]any{"name": "by hand", "actions": []any{map[string]any{"type": "deny"}}}}, rules...)})
	if err != nil {
		t.Fatal(err)
	}
	w.Put(path, string(byHand))
	state, _ = p.NextRun().Read(kind, state, nil)
	state, _ = p.Apply(kind, state, config("one"))
	if rules := w.Get(path)["inbound"].([]any); len(rules) != 99 {
		t.Errorf("%d rules at the service, want 99", len(rules))
	}
	if !p.Value(state.Type(), p.Plan(kind, state, config("one")).PlannedState).Equal(state) {
		t.Error("the next plan has changes")
	}
}

// TestAccEdgePolicy_unknownRules has rules, actions and texts that terraform validate, or
// the plan, does not know. Their attributes are not missing.
func TestAccEdgePolicy_unknownRules(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	edge := w.Create("/edges/tls", "{}")
	path := "/edges/tls/" + edge + "/policy"
	policy := func(rules string) string {
		return acctest.Resource(kind+".test", fmt.Sprintf("edge_id = %q", edge), rules)
	}
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
			"resource \"terraform_data\" \"rule\" {\n  input = var.rule\n}\n" + policy(arguments)
		t.Run(name, func(t *testing.T) {
			tf := w.Terraform(t, config)
			tf.Run(t, "validate")
			tf.Apply(t)
			tf.ExpectNoChanges(t)
			if rules, _ := w.Get(path)["inbound"].([]any); len(rules) != 2 || !strings.Contains(fmt.Sprint(rules[1]), "deny") {
				t.Errorf("the policy has the rules %v", rules)
			}
			tf.Destroy(t)
		})
	}
	missing := w.Terraform(t, policy(`inbound = [{ expressions = [] }]`))
	if out, err := missing.TryPlan(t); err == nil || !acctest.InError("attribute \"actions\" is required").MatchString(out) {
		t.Errorf("a rule without actions: %s", acctest.Summary(out))
	}
}
