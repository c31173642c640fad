package kinds

import (
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

// eventTarget is where events go. Exactly one member is not nil. Secrets are
// checked and not kept.
type eventTarget struct {
	Firehose       *awsTarget     `json:"firehose"`
	Kinesis        *awsTarget     `json:"kinesis"`
	CloudWatchLogs *awsTarget     `json:"cloudwatch_logs"`
	Debug          *debugTarget   `json:"debug"`
	Datadog        *datadogTarget `json:"datadog"`
}

// awsTarget is a service of AWS. Only one of the ARNs is set.
type awsTarget struct {
	Auth              awsAuth `json:"auth"`
	DeliveryStreamARN string  `json:"delivery_stream_arn,omitempty"`
	StreamARN         string  `json:"stream_arn,omitempty"`
	LogGroupARN       string  `json:"log_group_arn,omitempty"`
}

type awsAuth struct {
	Role  *awsRole  `json:"role"`
	Creds *awsCreds `json:"creds"`
}

type awsRole struct {
	RoleARN string `json:"role_arn"`
}

type awsCreds struct {
	AccessKeyID string  `json:"aws_access_key_id"`
	Secret      *string `json:"aws_secret_access_key,omitempty"` // of a response, never stored
}

type debugTarget struct {
	Log         bool   `json:"log"`
	CallbackURL string `json:"callback_url"`
}

type datadogTarget struct {
	APIKey  *string `json:"api_key,omitempty"` // of a response, never stored
	DDTags  string  `json:"ddtags"`
	Service string  `json:"service"`
	DDSite  string  `json:"ddsite"`
}

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
		Firehose:       readAWS(fields.Nested("firehose"), "delivery_stream_arn", func(t *awsTarget, arn string) { t.DeliveryStreamARN = arn }),
		Kinesis:        readAWS(fields.Nested("kinesis"), "stream_arn", func(t *awsTarget, arn string) { t.StreamARN = arn }),
		CloudWatchLogs: readAWS(fields.Nested("cloudwatch_logs"), "log_group_arn", func(t *awsTarget, arn string) { t.LogGroupARN = arn }),
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
	for name, isSet := range map[string]bool{
		"firehose": t.Firehose != nil, "kinesis": t.Kinesis != nil, "cloudwatch_logs": t.CloudWatchLogs != nil,
		"debug": t.Debug != nil, "datadog": t.Datadog != nil,
	} {
		if isSet {
			set = append(set, name)
		}
	}
	slices.Sort(set)
	return set
}

func (t eventTarget) kind() string { return strings.Join(t.kinds(), ", ") }

// masked returns the target as services show it that mask secrets.
func (t eventTarget) masked() eventTarget {
	mask := "********"
	for _, target := range []**awsTarget{&t.Firehose, &t.Kinesis, &t.CloudWatchLogs} {
		if *target != nil && (*target).Auth.Creds != nil {
			*target = copyOf(*target)
			(*target).Auth.Creds = &awsCreds{(*target).Auth.Creds.AccessKeyID, &mask}
		}
	}
	if t.Datadog != nil {
		t.Datadog = copyOf(t.Datadog)
		t.Datadog.APIKey = new(string)
	}
	return t
}

func readAWS(in *body.Object, name string, set func(*awsTarget, string)) *awsTarget {
	if in == nil {
		return nil
	}
	target := &awsTarget{}
	arn := in.Required(name)
	in.Rule(strings.HasPrefix(arn, "arn:"), name, "%s must be an ARN, such as arn:aws:kinesis:eu-central-1:123456789012:stream/events", name)
	set(target, arn)
	if auth := in.Nested("auth"); auth != nil {
		if role := auth.Nested("role"); role != nil {
			target.Auth.Role = &awsRole{role.Required("role_arn")}
			role.RefuseUnknown()
		}
		if creds := auth.Nested("creds"); creds != nil {
			target.Auth.Creds = &awsCreds{AccessKeyID: creds.Required("aws_access_key_id")}
			readSecret(creds, "aws_secret_access_key")
			creds.RefuseUnknown()
		}
		auth.RefuseUnknown()
	}
	in.Rule((target.Auth.Role == nil) != (target.Auth.Creds == nil), "auth", "auth must have exactly one of role and creds")
	in.RefuseUnknown()
	return target
}

// readSecret checks a secret, which an answer of the API and an out-of-band request
// can omit.
func readSecret(in *body.Object, name string) {
	text := in.Text(name)
	in.Rule(in.IsAnswer() || text != nil && *text != "", name, "%s is required", name)
}

func readDebug(in *body.Object) *debugTarget {
	if in == nil {
		return nil
	}
	target := &debugTarget{orExisting(in.Flag("log"), false), orExisting(in.Text("callback_url"), "")}
	in.Rule(target.CallbackURL == "" || strings.HasPrefix(target.CallbackURL, "https://") || strings.HasPrefix(target.CallbackURL, "http://"),
		"callback_url", "callback_url must be an HTTP URL")
	in.RefuseUnknown()
	return target
}

func readDatadog(in *body.Object) *datadogTarget {
	if in == nil {
		return nil
	}
	readSecret(in, "api_key")
	target := &datadogTarget{
		DDTags: orExisting(in.Text("ddtags"), ""), Service: orExisting(in.Text("service"), ""), DDSite: orExisting(in.Text("ddsite"), ""),
	}
	in.RefuseUnknown()
	return target
}
