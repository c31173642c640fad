package eventdestination_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const (
	address = "tunnel_event_destination.test"
	secret  = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" // of the docs of AWS
)

// targets are the targets with a secret, with a second value of one of their
// attributes.
var targets = map[string][2]string{
	"firehose":        {awsTarget("delivery_stream_arn", "A"), awsTarget("delivery_stream_arn", "B")},
	"kinesis":         {awsTarget("stream_arn", "A"), awsTarget("stream_arn", "B")},
	"cloudwatch_logs": {awsTarget("log_group_arn", "A"), awsTarget("log_group_arn", "B")},
	"datadog":         {`{ ddtags = "a" }`, `{ ddtags = "b", service = "s", ddsite = "datadoghq.eu" }`},
}

func awsTarget(arn, key string) string {
	return fmt.Sprintf(`{ %s = %q, auth = { creds = { aws_access_key_id = "AKIA%s" } } }`, arn, arns[arn], strings.Repeat(key, 16))
}

// TestAccEventDestination_secret checks that the secret is sent with each creation
// and update, that an update without it keeps the target, and that neither the state
// nor an error contains it.
func TestAccEventDestination_secret(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t, testserver.WithBehavior("secrets_masked"))
	proxy := record(t, w.URL)
	var updates []plancheck.PlanCheck
	for kind := range targets {
		updates = append(updates, plancheck.ExpectResourceAction("tunnel_event_destination."+kind, plancheck.ResourceActionUpdate))
	}
	updated := acctest.Planned(updates...)
	with := func(value int, rest ...string) string {
		var resources strings.Builder
		for kind, values := range targets {
			resources.WriteString(acctest.Resource("tunnel_event_destination."+kind, append(rest, "target = { "+kind+" = "+values[value]+" }")...))
		}
		return strings.Replace(w.Config("%s", resources.String()), w.URL, proxy.url, 1)
	}
	wo := func(secret string, version int) []string {
		return []string{fmt.Sprintf("secret_wo = %q", secret), fmt.Sprintf("secret_wo_version = %d", version)}
	}
	sent := func(secret string, want bool) resource.TestCheckFunc {
		return func(state *terraform.State) error {
			bodies := proxy.take()
			if len(bodies) != len(targets) {
				return fmt.Errorf("%d requests, want %d", len(bodies), len(targets))
			}
			for _, body := range bodies {
				if strings.Contains(body, secret) != want {
					return fmt.Errorf("a request contains the secret: %t, want %t: %s", !want, want, body)
				}
			}
			if strings.Contains(fmt.Sprint(state), secret) {
				return fmt.Errorf("the state contains the secret: %s", state)
			}
			return nil
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: acctest.Providers(),
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_11_0)},
		Steps: []resource.TestStep{
			{Config: with(0), ExpectError: eachTarget("Missing secret", "secret_wo_version to 1")},
			{
				PreConfig: func() { proxy.refuses.Store(true) }, Config: with(0, wo(secret, 1)...),
				ExpectError: eachTarget("400 Bad Request", "contains a secret"),
			},
			{
				PreConfig: func() { proxy.refuses.Store(false); proxy.take() },
				Config:    with(0, wo(secret, 1)...), Check: sent(secret, true),
			},
			{Config: with(1, wo(secret, 1)...), ConfigPlanChecks: updated, Check: sent(secret, true)},
			{Config: with(1, wo("next-"+secret, 2)...), ConfigPlanChecks: updated, Check: sent("next-"+secret, true)},
			{Config: with(1, append(wo(secret, 2), `description = "the secret does not change"`)...), ConfigPlanChecks: updated, Check: sent(secret, false)},
			{Config: with(1, `description = "without the secret"`, "secret_wo_version = 2"), ConfigPlanChecks: updated, Check: sent(secret, false)},
			{Config: with(1, `description = "nor a version"`), ConfigPlanChecks: updated, Check: sent(secret, false)},
			{Config: with(0), ExpectError: eachTarget("Missing secret", "because target changes")},
		},
	})
}

// A secret that the plan does not know can be null.
func TestEventDestination_unknownSecret(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	none := tftypes.NewValue(p.Type("tunnel_event_destination"), nil)
	for _, name := range []string{"secret", "secret_wo"} {
		values := p.Attributes(config(p, object{"debug": object{}}, "", nil))
		values[name] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
		if name == "secret_wo" {
			values["secret_wo_version"] = acctest.Number(1)
		}
		acctest.ExpectNone(t, plan(p, none, acctest.Object(p.Type("tunnel_event_destination"), values)))
	}
}

// TestEventDestination_secretReplacesPlainOne checks that a write-only secret without a
// version is sent when it takes the place of the one in the state.
func TestEventDestination_secretReplacesPlainOne(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	proxy := record(t, w.URL)
	w.URL = proxy.url
	p := w.Protocol(t)
	const kind = "tunnel_event_destination"
	state := tftypes.NewValue(p.Type(kind), nil)
	for i, name := range []string{"secret", "secret_wo"} {
		values := p.Attributes(config(p, object{"datadog": object{}}, "", nil))
		values[name] = acctest.Text(fmt.Sprint("secret-", i))
		state, _ = p.Apply(kind, state, acctest.Object(p.Type(kind), values))
		if sent := proxy.take(); len(sent) != 1 || !strings.Contains(sent[0], fmt.Sprint("secret-", i)) {
			t.Errorf("%s: sent %v", name, sent)
		}
	}
}

// eachTarget matches an error for each of the targets.
func eachTarget(texts ...string) *regexp.Regexp {
	return acctest.InError(slices.Repeat(texts, len(targets))...)
}

// A recorder passes requests on to a server.
type recorder struct {
	url     string
	mu      sync.Mutex
	bodies  []string    // of writes
	refuses atomic.Bool // and repeats the body of a refused write in the error
}

// take returns the bodies of the writes since it was called last.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	bodies := r.bodies
	r.bodies = nil
	return bodies
}

func record(t *testing.T, server string) *recorder {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{}
	proxy := httputil.NewSingleHostReverseProxy(to)
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		if req.Body != nil && req.Method != http.MethodGet && req.Method != http.MethodDelete {
			body, _ := io.ReadAll(req.Body)
			r.mu.Lock()
			r.bodies = append(r.bodies, string(body))
			r.mu.Unlock()
			req.Body = io.NopCloser(bytes.NewReader(body))
			if r.refuses.Load() {
				rw.WriteHeader(http.StatusBadRequest)
				_ = json.NewEncoder(rw).Encode(map[string]any{"error_code": "ERR_TUNNEL_400", "msg": "bad body " + string(body)})
				return
			}
		}
		proxy.ServeHTTP(rw, req)
	}))
	t.Cleanup(front.Close)
	r.url = front.URL
	return r
}

var updated = acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate))

// TestAccEventDestination_secretInState checks the attribute for Terraform before
// 1.11.
func TestAccEventDestination_secretInState(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	with := func(secret string) string {
		return w.Config(acctest.Resource(address, `target = { datadog = {} }`, fmt.Sprintf("secret = %q", secret)))
	}
	w.Run(t,
		resource.TestStep{Config: with("first-secret"), Check: resource.TestCheckResourceAttr(address, "secret", "first-secret")},
		resource.TestStep{Config: with("second-secret"), ConfigPlanChecks: updated},
	)
}

// TestAccEventDestination_otherTarget checks that another kind of target replaces
// the destination, and that another role does not.
func TestAccEventDestination_otherTarget(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	role := func(arn string) string {
		return w.Config(acctest.Resource(address, `target = { kinesis = { stream_arn = "`+arns["stream_arn"]+`", auth = { role = { role_arn = "`+arn+`" } } } }`))
	}
	w.Run(t,
		resource.TestStep{Config: w.Config(acctest.Resource(address, `target = { debug = { log = true } }`))},
		resource.TestStep{Config: role("arn:aws:iam::1:role/a"), ConfigPlanChecks: acctest.Planned(plancheck.ExpectResourceAction(address, plancheck.ResourceActionReplace))},
		resource.TestStep{Config: role("arn:aws:iam::1:role/b"), ConfigPlanChecks: updated},
	)
}

// A kind that the plan does not know could turn an update into a replacement while
// Terraform applies it.
func TestAccEventDestination_unknownKind(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	firehose := `{ firehose = { delivery_stream_arn = "` + arns["delivery_stream_arn"] + `", auth = { role = { role_arn = "arn:aws:iam::1:role/a" } } } }`
	with := func(input, target string) string {
		return fmt.Sprintf("resource \"terraform_data\" \"a\" {\n  input            = %s\n  triggers_replace = [%q]\n}\n", input, input) +
			acctest.Resource(address, "target = "+target)
	}
	const whole = "{ debug = try(terraform_data.a.output.debug, null), firehose = try(terraform_data.a.output.firehose, null) }"
	tf := w.Terraform(t, "")
	tf.Write(t, "target.tf", with(`{ debug = { log = true } }`, whole))
	tf.Apply(t)
	tf.ExpectNoChanges(t)
	id := w.List("/event_destinations")[0]["id"]

	tf.Write(t, "target.tf", with(firehose, "terraform_data.a.output"))
	if out, err := tf.TryApply(t); err == nil || !acctest.InError("Unknown kind of target", "target = { debug = ... }").MatchString(out) {
		t.Fatal(acctest.Summary(out))
	}
	tf.Write(t, "target.tf", with(`{ log = false }`, "{ debug = terraform_data.a.output }"))
	tf.Apply(t) // in place
	if now := w.List("/event_destinations"); len(now) != 1 || now[0]["id"] != id {
		t.Errorf("the destination %v was replaced: %v", id, now)
	}
	tf.Write(t, "target.tf", with(firehose, "{ firehose = terraform_data.a.output.firehose }"))
	tf.Apply(t) // a replacement
	tf.ExpectNoChanges(t)
	if now := w.List("/event_destinations"); len(now) != 1 || now[0]["id"] == id {
		t.Errorf("the destination %v was not replaced: %v", id, now)
	}
}

// TestAccEventDestination_messages checks the errors of targets and secrets.
func TestAccEventDestination_messages(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	var steps []resource.TestStep
	for arguments, want := range map[string]string{
		`target = {}`:                           "Expected exactly one of cloudwatch_logs, datadog, debug, firehose or kinesis in target; found none.",
		`target = { debug = {}, datadog = {} }`: "in target; found datadog and debug.",
		`target = { kinesis = { stream_arn = "arn:aws:s", auth = {} } }`:        "Expected exactly one of creds or role in target.kinesis.auth; found none.",
		"target = { datadog = {} }\n  secret = \"a\"\n  secret_wo = \"a\"":      "Expected one of secret and secret_wo; found both.",
		"target = { debug = {} }\n  secret_wo = \"a\"\n  secret_wo_version = 1": "the target has no secret",
		"target = { datadog = {} }\n  secret_wo_version = 1":                    "because the event destination is new. Set secret_wo to the Datadog API key",
	} {
		steps = append(steps, resource.TestStep{Config: w.Config("%s", acctest.Resource(address, arguments)), PlanOnly: true, ExpectError: acctest.InError(want)})
	}
	w.Run(t, steps...)
}

// Terraform generates jsonencode(...) for a text that is JSON, without white space.
func TestEventDestination_generatedJSONIsNoChange(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	const kind = "tunnel_event_destination"
	id := w.Create("/event_destinations", `{"format": "json", "target": {"datadog": {"api_key": "k", "ddtags": "{\"a\": 1}"}}}`)
	p := w.Protocol(t)
	state, _ := p.Import(kind, id, nil)
	config := acctest.FromJSON(p.Type(kind), map[string]any{"format": "json", "target": map[string]any{"datadog": map[string]any{"ddtags": `{"a":1}`}}})
	plan := p.Plan(kind, state, config)
	p.Must(plan.Diagnostics)
	if planned := p.Value(p.Type(kind), plan.PlannedState); !planned.Equal(state) {
		t.Errorf("planned %s, want no change", planned)
	}
}

// TestEventDestination_importWithoutValues imports destinations whose target has no
// values, because the only one is a secret. Others may be null or, for
// some services, empty: then only an existing state says which one is used.
func TestEventDestination_importWithoutValues(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ target, want string }{
		"datadog":                     {`{"datadog": {}, "debug": null, "kinesis": null}`, "datadog"},
		"debug":                       {`{"debug": {}}`, "debug"},
		"datadog, and debug is empty": {`{"datadog": {"service": "a"}, "debug": {"log": false}}`, "datadog"},
		"debug, and datadog is empty": {`{"datadog": {}, "debug": {"log": true}}`, "debug"},
		"datadog or debug":            {`{"datadog": {}, "debug": {}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t)
			id := w.CreateEventDestination()
			front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
				rw.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(rw, `{"id": %q, "format": "json", "created_at": "2026-01-01T00:00:00Z", "target": %s}`, id, test.target)
			}))
			t.Cleanup(front.Close)
			p := acctest.NewProtocol(t)
			p.Configure(map[string]tftypes.Value{
				"base_url": acctest.Text(front.URL), "api_key": acctest.Text(w.AdminKey), "skip_credentials_validation": tftypes.NewValue(tftypes.Bool, true),
			})
			state, _ := p.Import("tunnel_event_destination", id, nil)
			var target map[string]tftypes.Value
			if err := p.Attributes(state)["target"].As(&target); err != nil {
				t.Fatal(err)
			}
			for kind, value := range target {
				if value.IsNull() == (kind == test.want) {
					t.Errorf("%s is %s, want %q", kind, value, test.want)
				}
			}
			if len(target) == 0 && test.want != "" {
				t.Errorf("the target is null, want %s", test.want)
			}
		})
	}
}
