package eventdestination_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

const (
	kind    = "tunnel_event_destination"
	address = kind + ".test"
	isError = tfprotov6.DiagnosticSeverityError
	secret  = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" // of the docs of AWS
)

// targets are the targets with a secret, with a second value of one of their
// attributes.
var targets = map[string][2]object{
	"firehose":        {awsTarget("delivery_stream_arn", "A"), awsTarget("delivery_stream_arn", "B")},
	"kinesis":         {awsTarget("stream_arn", "A"), awsTarget("stream_arn", "B")},
	"cloudwatch_logs": {awsTarget("log_group_arn", "A"), awsTarget("log_group_arn", "B")},
	"datadog":         {{"ddtags": "a"}, {"ddtags": "b", "service": "s", "ddsite": "datadoghq.eu"}},
}

func awsTarget(arn, key string) object {
	return object{arn: arns[arn], "auth": object{"creds": object{"aws_access_key_id": "AKIA" + strings.Repeat(key, 16)}}}
}

// TestEventDestination_secret checks that the secret is sent with each creation and
// change of the target, that an update without it keeps the target, and that the state
// does not contain it.
func TestEventDestination_secret(t *testing.T) {
	t.Parallel()
	for target, values := range targets {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t, testserver.WithBehavior("secrets_masked"))
			proxy := record(t, w.URL)
			w.URL = proxy.url
			p := w.Protocol(t)
			with := func(value int, more object) tftypes.Value {
				all := object{"target": object{target: values[value]}}
				return acctest.FromJSON(p.Type(kind), merged(all, more))
			}
			state := tftypes.NewValue(p.Type(kind), nil)
			created := with(0, object{"secret_wo": secret, "secret_wo_version": 1})
			acctest.Expect(t, plan(p, state, with(0, nil)), isError, acctest.At("target"), "Missing secret", "secret_wo_version to 1")
			for i, step := range []struct {
				config tftypes.Value
				sends  string
			}{
				{created, secret},
				{with(1, object{"secret_wo": secret, "secret_wo_version": 1}), secret},
				{with(1, object{"secret_wo": "next-" + secret, "secret_wo_version": 2}), "next-" + secret},
				{with(1, object{"secret_wo": "next-" + secret, "secret_wo_version": 2, "description": "the secret does not change"}), ""},
				{with(1, object{"secret_wo_version": 2, "description": "without the secret"}), ""},
				{with(1, object{"description": "nor a version"}), ""},
			} {
				var found []*tfprotov6.Diagnostic
				state, found = p.Apply(kind, state, step.config)
				acctest.ExpectNone(t, found)
				sent := proxy.take()
				if len(sent) != 1 || strings.Contains(sent[0], secret) != (step.sends != "") || !strings.Contains(sent[0], step.sends) {
					t.Errorf("step %d: sent %v, want %q", i, sent, step.sends)
				}
				if strings.Contains(fmt.Sprint(state), secret) {
					t.Errorf("step %d: the state contains the secret: %s", i, state)
				}
			}
			acctest.Expect(t, plan(p, state, with(0, nil)), isError, acctest.At("target"), "Missing secret", "because target changes")
		})
	}
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

// A recorder passes requests on to a server.
type recorder struct {
	url    string
	mu     sync.Mutex
	bodies []string // of writes
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
		}
		proxy.ServeHTTP(rw, req)
	}))
	t.Cleanup(front.Close)
	r.url = front.URL
	return r
}

// TestEventDestination_otherTarget checks that another kind of target replaces the
// destination, and that another role does not.
func TestEventDestination_otherTarget(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	role := func(arn string) tftypes.Value {
		return config(p, awsRole("kinesis", "stream_arn", arns["stream_arn"], arn), "", nil)
	}
	state, _ := p.Apply(kind, tftypes.NewValue(p.Type(kind), nil), role("arn:aws:iam::1:role/a"))
	if other := p.Plan(kind, state, config(p, object{"debug": object{"log": true}}, "", nil)); len(other.RequiresReplace) != 1 {
		t.Errorf("replaced for %v: %v", other.RequiresReplace, other.Diagnostics)
	}
	_, found := p.Apply(kind, state, role("arn:aws:iam::1:role/b"))
	acctest.ExpectNone(t, found)
}

// TestEventDestination_messages checks the errors of targets and secrets. An ambiguous
// target is the only error.
func TestEventDestination_messages(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	none := tftypes.NewValue(p.Type(kind), nil)
	datadog, role := object{"datadog": object{}}, object{"role_arn": "arn:aws:iam::123456789012:role/events"}
	kinesis := func(auth object) object {
		return object{"target": object{"kinesis": object{"stream_arn": arns["stream_arn"], "auth": auth}}}
	}
	for want, given := range map[string]object{
		"Expected exactly one of cloudwatch_logs, datadog, debug, firehose or kinesis in target; found none.": {"target": object{}},
		"in target; found datadog and debug.": {"target": object{"debug": object{}, "datadog": object{}}},
		"found datadog and firehose.": {"target": object{
			"firehose": object{"delivery_stream_arn": arns["delivery_stream_arn"], "auth": object{"role": role}}, "datadog": object{},
		}},
		"Expected exactly one of creds or role in target.kinesis.auth; found none.":           kinesis(object{}),
		"Expected exactly one of creds or role in target.kinesis.auth; found creds and role.": kinesis(object{"role": role, "creds": object{"aws_access_key_id": keyID}}),
	} {
		found := p.Validate(kind, p.Attributes(acctest.FromJSON(p.Type(kind), given)))
		acctest.Expect(t, found, isError, acctest.At("target"), want)
	}
	for want, given := range map[string]object{
		"Expected one of secret and secret_wo; found both.":                          {"target": datadog, "secret": "a", "secret_wo": "a"},
		"the target has no secret":                                                   {"target": object{"debug": object{}}, "secret_wo": "a", "secret_wo_version": 1},
		"because the event destination is new. Set secret_wo to the Datadog API key": {"target": datadog, "secret_wo_version": 1},
	} {
		if found := plan(p, none, acctest.FromJSON(p.Type(kind), given)); len(found) == 0 || !strings.Contains(found[0].Detail, want) {
			t.Errorf("found %v, want %q", found, want)
		}
	}
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
