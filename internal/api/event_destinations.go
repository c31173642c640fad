package api

// EventDestination receives the events of event subscriptions.
type EventDestination struct {
	Object
	Format string      `json:"format"`
	Target EventTarget `json:"target"`
}

// EventTarget is where the events go. One of its members is not nil; none is, if the
// service has a kind of target that this client does not know.
type EventTarget struct {
	Firehose       *FirehoseTarget       `json:"firehose,omitempty"`
	Kinesis        *KinesisTarget        `json:"kinesis,omitempty"`
	CloudWatchLogs *CloudWatchLogsTarget `json:"cloudwatch_logs,omitempty"`
	Debug          *DebugTarget          `json:"debug,omitempty"`
	Datadog        *DatadogTarget        `json:"datadog,omitempty"`
}

// Used returns a target without the members that are not used, which a service
// may show as empty objects. Debug and Datadog can be used without values. If
// both may be the one, the target has no member.
func (t EventTarget) Used() EventTarget {
	filled := EventTarget{used(t.Firehose), used(t.Kinesis), used(t.CloudWatchLogs), used(t.Debug), used(t.Datadog)}
	switch {
	case filled != EventTarget{}:
		return filled
	case t.Datadog == nil:
		return EventTarget{Debug: t.Debug}
	case t.Debug == nil:
		return EventTarget{Datadog: t.Datadog}
	}
	return filled
}

// FirehoseTarget is a delivery stream of Amazon Data Firehose.
type FirehoseTarget struct {
	Auth              AWSAuth `json:"auth"`
	DeliveryStreamARN string  `json:"delivery_stream_arn"`
}

// KinesisTarget is a stream of Amazon Kinesis Data Streams.
type KinesisTarget struct {
	Auth      AWSAuth `json:"auth"`
	StreamARN string  `json:"stream_arn"`
}

// CloudWatchLogsTarget is a log group of Amazon CloudWatch Logs.
type CloudWatchLogsTarget struct {
	Auth        AWSAuth `json:"auth"`
	LogGroupARN string  `json:"log_group_arn"`
}

// AWSAuth is a role or an access key. One member is not nil.
type AWSAuth struct {
	Role  *AWSRole  `json:"role,omitempty"`
	Creds *AWSCreds `json:"creds,omitempty"`
}

// Used returns an authentication without the member that is not used.
func (a AWSAuth) Used() AWSAuth { return AWSAuth{used(a.Role), used(a.Creds)} }

// AWSRole is a role that the service assumes.
type AWSRole struct {
	RoleARN string `json:"role_arn"`
}

// AWSCreds is an access key.
type AWSCreds struct {
	AccessKeyID     string `json:"aws_access_key_id"`
	SecretAccessKey Secret `json:"aws_secret_access_key"`
}

// DebugTarget writes the events to the service's log, or posts them to a URL.
type DebugTarget struct {
	Log         bool   `json:"log"`
	CallbackURL string `json:"callback_url,omitempty"`
}

// DatadogTarget is Datadog.
type DatadogTarget struct {
	APIKey  Secret `json:"api_key"`
	DDTags  string `json:"ddtags,omitempty"`
	Service string `json:"service,omitempty"`
	DDSite  string `json:"ddsite,omitempty"`
}

// Secret is a text that is only sent. In a response it may be absent, empty or
// masked, and is not read.
type Secret string

// UnmarshalJSON leaves the secret empty.
func (*Secret) UnmarshalJSON([]byte) error { return nil }

// EventDestinationCreate is the body that creates an event destination.
type EventDestinationCreate struct {
	Details
	Format string       `json:"format"`
	Target *EventTarget `json:"target"`
}

// EventDestinationUpdate is the body that updates an event destination.
type EventDestinationUpdate struct {
	Details
	Format string       `json:"format"`
	Target *EventTarget `json:"target,omitempty"` // nil keeps it; another kind of target is refused
}

func (c EventDestinationCreate) sentSecret() string { return c.Target.secret() }
func (u EventDestinationUpdate) sentSecret() string { return u.Target.secret() }

// secret returns the only secret of a target, or "".
func (t *EventTarget) secret() string {
	var creds *AWSCreds
	switch {
	case t == nil:
	case t.Firehose != nil:
		creds = t.Firehose.Auth.Creds
	case t.Kinesis != nil:
		creds = t.Kinesis.Auth.Creds
	case t.CloudWatchLogs != nil:
		creds = t.CloudWatchLogs.Auth.Creds
	case t.Datadog != nil:
		return string(t.Datadog.APIKey)
	}
	if creds == nil {
		return ""
	}
	return string(creds.SecretAccessKey)
}

// EventDestinations are the event destinations of the account.
var EventDestinations = identified[EventDestination](
	Kind{Noun: "event destination", Prefix: "ed_", Path: "/event_destinations", ListField: "event_destinations"},
)
