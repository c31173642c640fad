package edgepolicy_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func TestAccEdgePolicy_invalidConfigSendsNothing(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	e := tlsEdge(w)
	rule := func(text string) string { return `inbound = [{ actions = [{ type = "deny" }], ` + text + ` }]` }
	action := func(text string) string { return `outbound = [{ actions = [{ type = "deny" }, { ` + text + ` }] }]` }
	for name, c := range map[string]struct {
		config string
		want   []string
	}{
		"CEL that does not parse": {
			rule(`expressions = ["true", "conn.client_ip = '192.0.2.1'"]`),
			[]string{"inbound[0].expressions[1] is no CEL expression. Line 1, column 16:", "conn.client_ip = '192.0.2.1'", "^"},
		},
		"a config that is an array": {
			action(`type = "log", config = jsonencode(["a"])`), []string{"outbound[0].actions[1].config must be a JSON object", "found an array"},
		},
		"a config that is no JSON": {
			action(`type = "log", config = "{metadata: 1}"`), []string{"outbound[0].actions[1].config must be a JSON object", "no JSON", "at byte 2"},
		},
		"a config that is the JSON null": {
			action(`type = "log", config = jsonencode(null)`), []string{"outbound[0].actions[1].config", "leave it out"},
		},
		"deny with a config": {
			action(`type = "deny", config = jsonencode({})`), []string{"outbound[0].actions[1].config must be left out"},
		},
		"an action type that is none": {
			action(`type = "restrict_ips"`), []string{"outbound[0].actions[1].type", `perhaps "restrict-ips" is meant`},
		},
		"no action":             {`inbound = [{ actions = [] }]`, []string{"inbound[0].actions", "at least 1"}},
		"actions left out":      {`inbound = [{ name = "x" }]`, []string{`"actions" is required`}},
		"an action of null":     {`inbound = [{ actions = [null] }]`, []string{"inbound[0].actions[0] must not be null"}},
		"a rule of null":        {`inbound = [null]`, []string{"inbound[0] must not be null"}},
		"an expression of null": {rule(`expressions = [null]`), []string{"inbound[0].expressions[0] must not be null"}},
		"an empty expression":   {rule(`expressions = [""]`), []string{"inbound[0].expressions[0] must be a CEL expression, found nothing"}},
		"101 rules":             {`inbound = [for i in range(101) : { actions = [{ type = "deny" }] }]`, []string{"inbound", "at most 100", "101"}},
		"17 expressions":        {rule(`expressions = [for i in range(17) : "true"]`), []string{"inbound[0].expressions", "at most 16", "17"}},
	} {
		t.Run(name, func(t *testing.T) {
			w.Run(t, resource.TestStep{Config: w.Config(e.config(c.config)), PlanOnly: true, ExpectError: acctest.InError(c.want...)})
		})
	}
	w.Run(t, resource.TestStep{
		Config: w.Config(strings.Replace(e.config(), fmt.Sprintf("%q", e.id), `""`, 1)), PlanOnly: true, ExpectError: acctest.InError("edge_id must not be empty"),
	})
	if total := w.Sent(); total != 0 {
		t.Errorf("%d requests were sent", total)
	}
}

func TestAccEdgePolicy_missingEdge(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.World, e edge) {
		e.id = "edgtls_none"
		w.Run(t,
			resource.TestStep{Config: w.Config(e.config()), ExpectError: acctest.InError("Error creating", "edgtls_none", "404 Not Found", "Check that the ids are right")},
			resource.TestStep{Config: w.Config(""), PlanOnly: true},
		)
	})
}

func TestAccEdgePolicy_destroyAfterEdge(t *testing.T) {
	onOneEdge(t, func(t *testing.T, w *acctest.World, e edge) {
		w.Run(t, resource.TestStep{Config: w.Config(e.config(outbound))},
			resource.TestStep{PreConfig: func() { w.ForceDelete(e.parent()) }, Config: w.Config(e.config(outbound)), Destroy: true})
	})
}

// Whatever is not the service's own word that no policy is set must not pass for
// it: a PUT would replace what is there.
func TestAccEdgePolicy_failedReadWritesNothing(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]testserver.Fault{
		"a proxy's 404":   {Kind: testserver.FaultHTML, Status: http.StatusNotFound, Before: true},
		"a 404 of nobody": {Kind: testserver.FaultEmpty, Status: http.StatusNotFound, Before: true},
		"an empty answer": {Kind: testserver.FaultEmpty},
		"an error":        {Kind: testserver.Fault500},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			e := tlsEdge(w)
			w.Put(e.path(), `{"inbound": [{"name": "by hand", "actions": [{"type": "deny"}]}]}`)
			fault.Method, fault.Route = http.MethodGet, "/edges/tls/{id}/policy"
			w.SetFaults(fault)
			w.Run(t, resource.TestStep{Config: w.Config(e.config(outbound)), ExpectError: acctest.InError("Error creating TLS edge policy")})
			if puts := w.Stats().Requests["PUT /edges/tls/{id}/policy"]; puts != 0 {
				t.Errorf("%d PUT were sent", puts)
			}
		})
	}
}
