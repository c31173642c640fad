package kinds

import (
	"maps"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// eventDestination receives the events of event subscriptions.
type eventDestination struct {
	common
	Format string      `json:"format"`
	Target eventTarget `json:"target"`
}

// eventTarget is where events go: the settings of each kind, of which exactly one has
// some. Secrets are checked and not kept.
type eventTarget map[string]settings

// targets are the kinds of targets, and what reads them.
var targets = map[string]func(*body.Object) settings{
	"firehose": ofAWS("delivery_stream_arn"), "kinesis": ofAWS("stream_arn"), "cloudwatch_logs": ofAWS("log_group_arn"),
	"debug": readDebug, "datadog": readDatadog,
}

// settings are the members of a target as responses show them.
type settings map[string]any

const eventDestinationTable store.TableOf[*eventDestination] = "event_destinations"

func eventDestinations(s *Service) engine.Collection[*eventDestination] {
	return engine.Collection[*eventDestination]{
		Path:   "/event_destinations",
		Prefix: "ed_",
		Field:  "event_destinations",
		Noun:   "event destination",
		Table:  eventDestinationTable.In(s.store),
		Create: func(c *engine.Call, in *body.Object) (*eventDestination, error) {
			destination := &eventDestination{common: newCommon(c, in), Format: "json"}
			destination.read(in)
			in.Rule(destination.Target.kind() != "", "target", "target is required")
			return destination, nil
		},
		Update: func(_ *engine.Call, old *eventDestination, in *body.Object) *eventDestination {
			destination := copyOf(old)
			destination.common = old.updated(in)
			destination.read(in)
			in.Rule(destination.Target.kind() == old.Target.kind(), "target",
				"the kind of target cannot change: expected %s, found %s", old.Target.kind(), destination.Target.kind())
			return destination
		},
		View: func(c *engine.Call, uri string, destination *eventDestination) any {
			shown := *destination
			if c.Behaves("secrets_masked") {
				shown.Target = destination.Target.masked()
			}
			return struct {
				URI string `json:"uri"`
				*eventDestination
			}{uri, &shown}
		},
	}
}

// read sets the fields that a request contains. The target is replaced as a whole.
func (d *eventDestination) read(in *body.Object) {
	d.Format = orExisting(in.Text("format"), d.Format)
	in.Rule(d.Format == "json", "format", "format must be json")
	fields := in.Nested("target")
	if fields == nil {
		return
	}
	d.Target = eventTarget{}
	for _, name := range slices.Sorted(maps.Keys(targets)) {
		d.Target[name] = nil
		if target := fields.Nested(name); target != nil {
			d.Target[name] = targets[name](target)
			target.RefuseUnknown()
		}
	}
	fields.RefuseUnknown()
	kind := d.Target.kind()
	in.Rule(kind != "" && !strings.Contains(kind, ","), "target",
		"target must have exactly one of firehose, kinesis, cloudwatch_logs, debug and datadog")
}

// kind returns the name of the kind that is set, or of several.
func (t eventTarget) kind() string {
	set := maps.Clone(t)
	maps.DeleteFunc(set, func(_ string, target settings) bool { return target == nil })
	return strings.Join(slices.Sorted(maps.Keys(set)), ", ")
}

// masked returns the target as services show it that mask secrets.
func (t eventTarget) masked() eventTarget {
	masked := maps.Clone(t)
	for name, target := range t {
		shown := maps.Clone(target)
		if auth, _ := target["auth"].(map[string]any); auth["creds"] != nil {
			creds := maps.Clone(auth["creds"].(map[string]any))
			creds["aws_secret_access_key"] = "********"
			shown["auth"] = map[string]any{"role": nil, "creds": creds}
		} else if name == "datadog" && target != nil {
			shown["api_key"] = ""
		}
		masked[name] = shown
	}
	return masked
}

// ofAWS returns what reads a service of AWS. name is that of its ARN.
func ofAWS(name string) func(*body.Object) settings {
	return func(in *body.Object) settings { return readAWS(in, name) }
}

func readAWS(in *body.Object, name string) settings {
	arn := in.Required(name)
	in.Rule(strings.HasPrefix(arn, "arn:"), name, "%s must be an ARN, such as arn:aws:kinesis:eu-central-1:123456789012:stream/events", name)
	shown := map[string]any{"role": nil, "creds": nil}
	if auth := in.Nested("auth"); auth != nil {
		if role := auth.Nested("role"); role != nil {
			shown["role"] = map[string]any{"role_arn": role.Required("role_arn")}
			role.RefuseUnknown()
		}
		if creds := auth.Nested("creds"); creds != nil {
			shown["creds"] = map[string]any{"aws_access_key_id": creds.Required("aws_access_key_id")}
			readSecret(creds, "aws_secret_access_key")
			creds.RefuseUnknown()
		}
		auth.RefuseUnknown()
	}
	in.Rule((shown["role"] == nil) != (shown["creds"] == nil), "auth", "auth must have exactly one of role and creds")
	return settings{"auth": shown, name: arn}
}

// readSecret checks a secret, which an answer of the API and an out-of-band request
// can omit.
func readSecret(in *body.Object, name string) {
	text := in.Text(name)
	in.Rule(in.IsAnswer() || text != nil && *text != "", name, "%s is required", name)
}

func readDebug(in *body.Object) settings {
	callback := orExisting(in.Text("callback_url"), "")
	in.Rule(callback == "" || strings.HasPrefix(callback, "https://") || strings.HasPrefix(callback, "http://"),
		"callback_url", "callback_url must be an HTTP URL")
	return settings{"log": orExisting(in.Flag("log"), false), "callback_url": callback}
}

func readDatadog(in *body.Object) settings {
	readSecret(in, "api_key")
	target := settings{}
	for _, name := range []string{"ddtags", "service", "ddsite"} {
		target[name] = orExisting(in.Text(name), "")
	}
	return target
}
