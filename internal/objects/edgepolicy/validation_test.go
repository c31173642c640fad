package edgepolicy_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func TestAccEdgePolicy_invalidConfigSendsNothing(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	e := tlsEdge(w)
	tf := w.Terraform(t, e.config())
	original := tf.Read(t, "main.tf")
	rule := func(text string) string { return `inbound = [{ actions = [{ type = "deny" }], ` + text + ` }]` }
	action := func(text string) string {
		return `inbound = [{ expressions = [], actions = [{ type = "log", config = "{\"metadata\":{}}" }, { ` + text + ` }] }]`
	}
	for name, c := range map[string]struct {
		config string
		want   []string
	}{
		"CEL that does not parse": {
			rule(`expressions = ["true", "conn.client_ip = '192.0.2.1'"]`),
			[]string{"inbound = [", "inbound[0].expressions[1] is not a valid CEL expression. Line 1, column 16:", "conn.client_ip = '192.0.2.1'", "^"},
		},
		"a config that is an array": {
			action(`type = "log", config = jsonencode(["a"])`), []string{"inbound[0].actions[1].config must be a JSON object", "found an array"},
		},
		"a config that is no JSON": {
			action(`type = "log", config = "{metadata: 1}"`), []string{"inbound[0].actions[1].config must be a JSON object", "invalid JSON", "at byte 2"},
		},
		"a config that is the JSON null": {
			action(`type = "log", config = jsonencode(null)`), []string{"inbound[0].actions[1].config", "found null"},
		},
		"an action type that is none": {
			action(`type = "restrict_ips"`), []string{"inbound[0].actions[1].type", `Did you mean "restrict-ips"?`},
		},
		"the same name twice in a config": {
			action(`type = "log", config = "{\"metadata\":{\"a\":1,\"a\":2}}"`), []string{"inbound[0].actions[1].config must not contain duplicate keys", "found metadata.a twice"},
		},
		"deny in outbound": {
			`outbound = [{ expressions = [], actions = [{ type = "deny" }] }]`, []string{`outbound[0].actions[0].type must not be deny or restrict-ips in an outbound rule; found "deny"`},
		},
		"an action after deny": {
			`inbound = [{ expressions = [], actions = [{ type = "deny" }, { type = "restrict-ips" }] }]`, []string{"inbound[0].actions[1] is unreachable"},
		},
		"expression instead of expressions": {`inbound = [{ expression = ["true"], actions = [{ type = "deny" }] }]`, []string{`"expressions" is required`}},
		"no expressions":                    {`inbound = [{ expressions = null, actions = [{ type = "deny" }] }]`, []string{"inbound[0].expressions"}},
		"no action":                         {`inbound = [{ expressions = [], actions = [] }]`, []string{"inbound[0].actions must contain at least one action"}},
		"no actions attribute":              {`inbound = [{ expressions = [] }]`, []string{`"actions" is required`}},
		"an action of null":                 {`inbound = [{ expressions = [], actions = [null] }]`, []string{"inbound[0].actions[0] must not be null"}},
		"a rule of null":                    {`inbound = [null]`, []string{"inbound[0] must not be null"}},
		"an expression of null":             {rule(`expressions = [null]`), []string{"inbound[0].expressions[0] must not be null"}},
		"an empty expression":               {rule(`expressions = [""]`), []string{"inbound[0].expressions[0] must be a CEL expression; found an empty string"}},
	} {
		t.Run(name, func(t *testing.T) {
			tf.Write(t, "main.tf", strings.Replace(original, e.config(), e.config(c.config), 1))
			if out, err := tf.TryPlan(t); err == nil || !acctest.InError(c.want...).MatchString(out) {
				t.Errorf("%v, want %q:\n%s", err, c.want, acctest.Summary(out))
			}
		})
	}
	tf.Write(t, "main.tf", strings.Replace(original, fmt.Sprintf("edge_id = %q", e.id), `edge_id = ""`, 1))
	if out, err := tf.TryPlan(t); err == nil || !acctest.InError("edge_id must be an ID; found an empty string").MatchString(out) {
		t.Errorf("%v:\n%s", err, acctest.Summary(out))
	}
	if total := w.Sent(); total != 0 {
		t.Errorf("%d requests were sent", total)
	}
}

// TestAccEdgePolicy_serviceErrorNamesTheRule checks that an error of the
// service about a nested field is at the line of the rules, and names the rule.
func TestAccEdgePolicy_serviceErrorNamesTheRule(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	e := tlsEdge(w)
	target, err := url.Parse(w.URL)
	if err != nil {
		t.Fatal(err)
	}
	service := httputil.NewSingleHostReverseProxy(target)
	refusing := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			service.ServeHTTP(rw, r)
			return
		}
		rw.Header().Set("Content-Type", "application/json")
		rw.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(rw, `{"error_code": "ERR_TUNNEL_400", "msg": "unknown action", "details": {"field": "inbound[1].actions[0].config.metadata"}}`)
	}))
	t.Cleanup(refusing.Close)
	config := e.config(`inbound = [
    { expressions = [], actions = [{ type = "log", config = jsonencode({ metadata = {} }) }] },
    { name = "audit", expressions = [], actions = [{ type = "audit" }] },
  ]`)
	tf := w.Terraform(t, config)
	tf.Write(t, "main.tf", strings.ReplaceAll(tf.Read(t, "main.tf"), w.URL, refusing.URL))
	want := acctest.InError("Error creating TLS edge policy", "inbound = [", "field inbound[1].actions[0].config.metadata")
	if out, err := tf.TryApply(t); err == nil || !want.MatchString(out) {
		t.Errorf("%v:\n%s", err, acctest.Summary(out))
	}
}

// TestAccEdgePolicy_expressionThatNeverMatchesWarns checks that the warning comes
// with the plan that sets the expression, and not with later ones.
func TestAccEdgePolicy_expressionThatNeverMatchesWarns(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	e := tlsEdge(w)
	rule := `inbound = [{ name = "office", expressions = ["conn.client_ip in '10.0.0.0/8'"], actions = [{ type = "deny" }] }]`
	warns := func(out string) int {
		return strings.Count(out, "Warning: Unusual address in inbound[0].expressions[0]")
	}
	tf := w.Terraform(t, e.config(rule))
	out := tf.Plan(t)
	want := acctest.InError("inbound[0].expressions[0] may never match: at column 19,", "use inCidrRange(conn.client_ip, '10.0.0.0/8')")
	if warns(out) != 1 || !want.MatchString(out) {
		t.Errorf("expected one warning:\n%s", acctest.Summary(out))
	}
	tf.Apply(t)
	if out := tf.Plan(t); warns(out) != 0 || !strings.Contains(out, "No changes.") {
		t.Errorf("an unchanged policy warns or changes:\n%s", acctest.Summary(out))
	}
	tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), "inbound = [", "enabled = false\n  inbound = [", 1))
	if out := tf.Plan(t); warns(out) != 0 {
		t.Errorf("another attribute changes, and the policy warns:\n%s", acctest.Summary(out))
	}
}

// TestAccEdgePolicy_openConfigs checks that what public services of this kind
// accept in a config is at most a warning, and that a refusal of the service names
// the rule.
func TestAccEdgePolicy_openConfigs(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	e := tlsEdge(w)
	tf := w.Terraform(t, e.config(`inbound = [
    { name = "office", expressions = [], actions = [{ type = "restrict-ips", config = jsonencode({ enforce = true, allow = ["192.0.2.0/24", "$${vars.office}"] }) }] },
    { name = "others", expressions = ["conn.client_port == 1"], actions = [{ type = "deny", config = jsonencode({ status_code = 403 }) }] },
  ]`))
	if out := tf.Apply(t); !acctest.InError("inbound[1].actions[0].config is set, but the API documentation shows no config for the deny action.").MatchString(out) || strings.Contains(out, "Unusual") {
		t.Errorf("expected one warning:\n%s", acctest.Summary(out))
	}
	tf.ExpectNoChanges(t)
	w.SetBehavior("deny_config_refused")
	tf.Write(t, "main.tf", strings.Replace(tf.Read(t, "main.tf"), "status_code = 403", "status_code = 404", 1))
	if out, err := tf.TryApply(t); err == nil || !acctest.InError("field inbound[1].actions[0].config").MatchString(out) {
		t.Errorf("%v:\n%s", err, acctest.Summary(out))
	}
}

func TestAccEdgePolicy_destroyAfterEdge(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.Env, e edge) {
		tf := w.MeansTheSame(t, e.config(outbound), e.config(outbound))
		w.ForceDelete(e.parent())
		tf.Destroy(t)
	})
}

// TestAccEdgePolicy_failedReadWritesNothing checks that no response of a gateway means
// that no policy is set: a PUT could overwrite an existing policy.
func TestAccEdgePolicy_failedReadWritesNothing(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]testserver.Rule{
		"a proxy's 404":   {Behavior: "html_before=404"},
		"a 404 of nobody": {Behavior: "empty_before=404"},
		"an empty answer": {Behavior: "empty"},
		"an error":        {Behavior: "500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			e := tlsEdge(w)
			w.Put(e.path(), `{"inbound": [{"name": "by hand", "actions": [{"type": "deny"}]}]}`)
			fault.Method, fault.Route = http.MethodGet, "/edges/tls/{id}/policy"
			w.SetRules(fault)
			if out, err := w.Terraform(t, e.config(outbound)).TryApply(t); err == nil || !acctest.InError("Error creating TLS edge policy").MatchString(out) {
				t.Errorf("%v:\n%s", err, acctest.Summary(out))
			}
			if puts := w.Stats().Requests["PUT /edges/tls/{id}/policy"]; puts != 0 {
				t.Errorf("%d PUT were sent", puts)
			}
		})
	}
}

// TestEdgePolicy_refusedField checks that only a refused IP policy gets advice about IP
// policies: a service may refuse an expression, too.
func TestEdgePolicy_refusedField(t *testing.T) {
	t.Parallel()
	for field, advice := range map[string]bool{"inbound[0].expressions[0]": false, "inbound[0].actions[0].config.ip_policies[0]": true} {
		w := acctest.Start(t)
		edge := w.CreateTLSEdge()
		front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPut {
				w.ServeHTTP(rw, r)
				return
			}
			rw.WriteHeader(http.StatusBadRequest)
			_ = json.NewEncoder(rw).Encode(map[string]any{"error_code": "ERR_TUNNEL_400", "msg": "no", "details": map[string]string{"field": field}})
		}))
		t.Cleanup(front.Close)
		w.URL = front.URL
		p := w.Protocol(t)
		of := p.Type("tunnel_tls_edge_policy")
		_, found := p.Apply("tunnel_tls_edge_policy", tftypes.NewValue(of, nil), acctest.FromJSON(of, map[string]any{
			"edge_id": edge, "inbound": []any{map[string]any{
				"expressions": []any{"a[?0] == 1"}, "actions": []any{map[string]any{"type": "restrict-ips", "config": `{"enforce":true,"ip_policies":["ipp_1"]}`}},
			}},
		}))
		if len(found) != 1 || !strings.Contains(found[0].Detail, field) || strings.Contains(found[0].Detail, "data source tunnel_ip_policies") != advice {
			t.Errorf("%s: %v", field, found)
		}
	}
}
