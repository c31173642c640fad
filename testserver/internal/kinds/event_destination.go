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

// eventTarget is where events go, by kind. Exactly one is not nil. Secrets are checked
// and not kept.
type eventTarget struct {
	Firehose       settings `json:"firehose"`
	Kinesis        settings `json:"kinesis"`
	CloudWatchLogs settings `json:"cloudwatch_logs"`
	Debug          settings `json:"debug"`
	Datadog        settings `json:"datadog"`
}

// settings are the members of a target as responses show them.
type settings map[string]any

const eventDestinationTable store.TableOf[*eventDestination] = "event_destinations"

func (s *Service) eventDestinations() engine.Collection[*eventDestination] {
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
	d.Target = eventTarget{
		Firehose:       readAWS(fields.Nested("firehose"), "delivery_stream_arn"),
		Kinesis:        readAWS(fields.Nested("kinesis"), "stream_arn"),
		CloudWatchLogs: readAWS(fields.Nested("cloudwatch_logs"), "log_group_arn"),
		Debug:          readDebug(fields.Nested("debug")),
		Datadog:        readDatadog(fields.Nested("datadog")),
	}
	fields.RefuseUnknown()
	in.Rule(len(d.Target.kinds()) == 1, "target",
		"target must have exactly one of firehose, kinesis, cloudwatch_logs, debug and datadog")
}

// kinds returns the names of the members that are set.
func (t eventTarget) kinds() []string {
	var set []string
	for name, target := range map[string]settings{
		"firehose": t.Firehose, "kinesis": t.Kinesis, "cloudwatch_logs": t.CloudWatchLogs, "debug": t.Debug, "datadog": t.Datadog,
	} {
		if target != nil {
			set = append(set, name)
		}
	}
	slices.Sort(set)
	return set
}

func (t eventTarget) kind() string { return strings.Join(t.kinds(), ", ") }

// masked returns the target as services show it that mask secrets.
func (t eventTarget) masked() eventTarget {
	for _, target := range []*settings{&t.Firehose, &t.Kinesis, &t.CloudWatchLogs} {
		if auth, _ := (*target)["auth"].(map[string]any); auth["creds"] != nil {
			creds := maps.Clone(auth["creds"].(map[string]any))
			creds["aws_secret_access_key"] = "********"
			*target = maps.Clone(*target)
			(*target)["auth"] = map[string]any{"role": nil, "creds": creds}
		}
	}
	if t.Datadog != nil {
		t.Datadog = maps.Clone(t.Datadog)
		t.Datadog["api_key"] = ""
	}
	return t
}

// readAWS reads a service of AWS. name is that of its ARN.
func readAWS(in *body.Object, name string) settings {
	if in == nil {
		return nil
	}
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
	in.RefuseUnknown()
	return settings{"auth": shown, name: arn}
}

// readSecret checks a secret, which an answer of the API and an out-of-band request
// can omit.
func readSecret(in *body.Object, name string) {
	text := in.Text(name)
	in.Rule(in.IsAnswer() || text != nil && *text != "", name, "%s is required", name)
}

func readDebug(in *body.Object) settings {
	if in == nil {
		return nil
	}
	callback := orExisting(in.Text("callback_url"), "")
	in.Rule(callback == "" || strings.HasPrefix(callback, "https://") || strings.HasPrefix(callback, "http://"),
		"callback_url", "callback_url must be an HTTP URL")
	defer in.RefuseUnknown()
	return settings{"log": orExisting(in.Flag("log"), false), "callback_url": callback}
}

func readDatadog(in *body.Object) settings {
	if in == nil {
		return nil
	}
	readSecret(in, "api_key")
	target := settings{}
	for _, name := range []string{"ddtags", "service", "ddsite"} {
		target[name] = orExisting(in.Text(name), "")
	}
	in.RefuseUnknown()
	return target
}
