package edgepolicy_test

import (
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
func (e edge) parent() string  { return e.edges + "/" + e.id }
func (e edge) path() string    { return e.parent() + "/policy" }

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

const fullInbound = `inbound = [
    {
      name        = "known bad clients"
      expressions = ["conn.client_ip in ['192.0.2.1', '198.51.100.7']", "conn.tls.ja3 == '579ccef312d18482fc42e2b822ca2430'"]
      actions = [
        { type = "log", config = jsonencode({ metadata = { reason = "ja3 & address", where = { team = "edge", level = 3, exact = 12345678901234567890 } } }) },
        { type = "deny" },
      ]
    },
    {
      expressions = ["conn.server_name.endsWith('.internal.example.com')"]
      actions     = [{ type = "restrict-ips", config = jsonencode({ enforce = true, allow = ["10.0.0.0/8", "2001:db8::/32"] }) }]
    },
    {
      name        = "everything"
      expressions = []
      actions     = [{ type = "log", config = jsonencode({ metadata = { reason = "all" } }) }]
    },
  ]`

const isFullInbound = `"inbound": [
	{
		"name": "known bad clients",
		"expressions": ["conn.client_ip in ['192.0.2.1', '198.51.100.7']", "conn.tls.ja3 == '579ccef312d18482fc42e2b822ca2430'"],
		"actions": [
			{"type": "log", "config": {"metadata": {"reason": "ja3 & address", "where": {"team": "edge", "level": 3, "exact": 12345678901234567890}}}},
			{"type": "deny", "config": null}
		]
	},
	{
		"name": "",
		"expressions": ["conn.server_name.endsWith('.internal.example.com')"],
		"actions": [{"type": "restrict-ips", "config": {"enforce": true, "allow": ["10.0.0.0/8", "2001:db8::/32"]}}]
	},
	{
		"name": "everything",
		"expressions": [],
		"actions": [{"type": "log", "config": {"metadata": {"reason": "all"}}}]
	}
]`

const (
	outbound   = `outbound = [{ name = "audit", expressions = ["conn.bytes > 1000000"], actions = [{ type = "log", config = jsonencode({ metadata = { big = true } }) }] }]`
	isOutbound = `"outbound": [{"name": "audit", "expressions": ["conn.bytes > 1000000"], "actions": [{"type": "log", "config": {"metadata": {"big": true}}}]}]`
)

// isFullInboundByHand is isFullInbound as a PUT body, in which deny has no
// config.
var isFullInboundByHand = strings.ReplaceAll(isFullInbound, `, "config": null`, "")

func TestAccEdgePolicy_generatedConfigOfEmptyPlansNoChange(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		w.Put(e.path(), `{"inbound": []}`)
		w.GeneratedConfigPlansNoChange(t, e.address(), e.id)
	})
}

func TestAccEdgePolicy_planShowsOnlyChangedExpression(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		tf := w.MeansTheSame(t, e.config(fullInbound, outbound))
		changed := strings.Replace(fullInbound, "198.51.100.7", "203.0.113.0", 1)
		tf.ExpectPlan(t, e.config(changed, outbound), acctest.ExpectChanges(e.address(), "inbound[0].expressions[0]"))
		tf.ExpectPlan(t, e.config(fullInbound, outbound, "enabled = false"), acctest.ExpectChanges(e.address(), "enabled"))
		other := strings.Replace(outbound, "big = true", "big = 1", 1)
		tf.ExpectPlan(t, e.config(fullInbound, other), acctest.ExpectChanges(e.address(), "outbound[0].actions[0].config"))
	})
}

func TestAccEdgePolicy_unsetAndEmptyRulesAreEqual(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	rule := func(arguments string) string {
		return `inbound = [{ ` + arguments + ` expressions = [], actions = [{ type = "deny" }] }]`
	}
	for _, same := range [][]string{
		{"", "inbound = []\n  outbound = []", "outbound = null"}, {rule(""), rule("name = null,")}, {rule(`name = "",`)},
	} {
		e, configs := tlsEdge(w), []string{}
		for _, arguments := range same {
			configs = append(configs, e.config(arguments))
		}
		w.MeansTheSame(t, configs[0], configs...)
	}
}

func TestAccEdgePolicy_actionConfigComparedAsJSON(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		log := func(config string) string {
			return e.config(`inbound = [{ expressions = [], actions = [{ type = "log", config = ` + config + ` }, { type = "deny" }] }]`)
		}
		const written = `{ "metadata": { "b": 1.0, "a": "<x>", "big": 9007199254740993 } }`
		tf := w.MeansTheSame(t, log(fmt.Sprintf("%q", written)), log(`jsonencode({ metadata = { big = 9007199254740993, a = "<x>", b = 1 } })`))
		if inbound := fmt.Sprint(tf.Attributes(t, e.address())["inbound"]); !strings.Contains(inbound, written) {
			t.Errorf("the state does not keep %s: %s", written, inbound)
		}
		tf.ExpectPlan(t, log(`jsonencode({ metadata = { big = 9007199254740992, a = "<x>", b = 1 } })`),
			acctest.ExpectChanges(e.address(), "inbound[0].actions[0].config"))
		// The service treats an empty config like no config.
		for _, config := range []string{"jsonencode({})", "null"} {
			e = tlsEdge(w)
			w.MeansTheSame(t, log(config), log(config))
		}
	})
}

func TestAccEdgePolicy_ruleAddedByHandIsRemoved(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		full := `{"enabled": true, ` + isFullInboundByHand + `}`
		byHand := strings.Replace(full, `"inbound": [`, `"inbound": [{"name": "by hand", "expressions": [], "actions": [{"type": "deny"}]},`, 1)
		last := strings.TrimSuffix(full, "\n]}") + `, {"actions": [{"type": "deny"}]}]}`
		tf := w.MeansTheSame(t, e.config(fullInbound), e.config(fullInbound))
		for _, drift := range []string{byHand, last} {
			w.Put(e.path(), drift)
			if planned := tf.PlannedActions(t)[e.address()]; planned != "update" {
				t.Errorf("planned is %q", planned)
			}
			tf.Apply(t)
			if rules := w.Get(e.path())["inbound"].([]any); len(rules) != 3 {
				t.Errorf("%d rules at the service, want 3", len(rules))
			}
			tf.ExpectNoChanges(t)
		}
	})
}

func TestAccEdgePolicy_hundredRules(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		rules := func(n int, word string) string {
			return e.config(fmt.Sprintf(`inbound = [for i in range(%d) : {
    name        = "rule ${i}"
    expressions = [for j in range(4) : "conn.client_ip.startsWith('10.${i}.${j}.')"]
    actions     = [{ type = "log", config = jsonencode({ metadata = { rule = i, note = { word = i == 57 ? %q : "same" } } }) }, { type = "deny" }]
  }]`, n, word))
		}
		tf := w.MeansTheSame(t, rules(100, "one"), rules(100, "one"))
		if inbound := tf.Attributes(t, e.address())["inbound"].([]any); len(inbound) != 100 {
			t.Errorf("%d rules in the state", len(inbound))
		}
		tf.ExpectPlan(t, rules(100, "two"), acctest.ExpectChanges(e.address(), "inbound[57].actions[0].config"))
		tf.Apply(t)
		tf.ExpectNoChanges(t)
	})
}

func TestAccEdgePolicy_unknownRules(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		types := `resource "terraform_data" "types" {
  input = ["log", "deny"]
}
` + e.config(`inbound = [{ expressions = [], actions = [for name in terraform_data.types.output : { type = name }] }]`)
		later := tlsEdge(w)
		rules := `resource "terraform_data" "later" {
  input = { rules = [{ name = "later", expressions = ["true"], actions = [{ type = "deny", config = null }] }], text = "true", kind = "log" }
}
` + later.config(`inbound  = terraform_data.later.output.rules`,
			`outbound = [{ name = terraform_data.later.output.text, expressions = [terraform_data.later.output.text], actions = [{ type = terraform_data.later.output.kind }] }]`)
		w.MeansTheSame(t, types, types)
		w.MeansTheSame(t, rules, rules)
		if err := w.Holds(later.path(), acctest.Members(`{"inbound": [{"name": "later", "expressions": ["true"], "actions": [{"type": "deny", "config": null}]}]}`)); err != nil {
			t.Error(err)
		}
	})
}

// A whole rule or action that is a variable is unknown to terraform validate. Its
// attributes are not missing.
func TestAccEdgePolicy_unknownRule(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		rule := `object({ name = optional(string), expressions = list(string), actions = list(object({ type = string, config = optional(string) })) })`
		for name, inbound := range map[string]string{
			"rule":   `[{ expressions = [], actions = [{ type = "log" }] }, var.rule]`,
			"action": `[{ expressions = [], actions = [{ type = "log" }] }, { expressions = ["true"], actions = [var.rule.actions[0]] }]`,
			"later":  `[{ expressions = [], actions = [{ type = "log" }] }, terraform_data.rule.output]`,
		} {
			config := fmt.Sprintf("variable \"rule\" {\n  type    = %s\n  default = { expressions = [\"true\"], actions = [{ type = \"deny\" }] }\n}\n", rule) +
				"resource \"terraform_data\" \"rule\" {\n  input = var.rule\n}\n" + e.config("inbound = "+inbound)
			t.Run(name, func(t *testing.T) {
				tf := w.Terraform(t, config)
				tf.Run(t, "validate")
				tf.Apply(t)
				tf.ExpectNoChanges(t)
				if rules, _ := w.Get(e.path())["inbound"].([]any); len(rules) != 2 {
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
