package eventdestination

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// target is where events go. At most one member is not nil.
type target struct {
	Firehose       *firehose       `tfsdk:"firehose"`
	Kinesis        *kinesis        `tfsdk:"kinesis"`
	CloudWatchLogs *cloudWatchLogs `tfsdk:"cloudwatch_logs"`
	Debug          *debug          `tfsdk:"debug"`
	Datadog        *datadog        `tfsdk:"datadog"`
}

type firehose struct {
	Auth              auth         `tfsdk:"auth"`
	DeliveryStreamARN types.String `tfsdk:"delivery_stream_arn"`
}

type kinesis struct {
	Auth      auth         `tfsdk:"auth"`
	StreamARN types.String `tfsdk:"stream_arn"`
}

type cloudWatchLogs struct {
	Auth        auth         `tfsdk:"auth"`
	LogGroupARN types.String `tfsdk:"log_group_arn"`
}

type auth struct {
	Role  *role  `tfsdk:"role"`
	Creds *creds `tfsdk:"creds"`
}

type role struct {
	RoleARN types.String `tfsdk:"role_arn"`
}

type creds struct {
	AccessKeyID types.String `tfsdk:"aws_access_key_id"`
}

type debug struct {
	Log         types.Bool   `tfsdk:"log"`
	CallbackURL types.String `tfsdk:"callback_url"`
}

type datadog struct {
	DDTags  types.String `tfsdk:"ddtags"`
	Service types.String `tfsdk:"service"`
	DDSite  types.String `tfsdk:"ddsite"`
}

// read returns the target of a model. What is not known yet is nil.
func read(object types.Object) target {
	var t target
	object.As(context.Background(), &t, basetypes.ObjectAsOptions{ //nolint:errcheck // the types match
		UnhandledNullAsEmpty: true, UnhandledUnknownAsEmpty: true,
	})
	return t
}

// kindOf returns the attribute of a target that is set, also if its value is unknown.
// It returns "" if that is not known.
func kindOf(target types.Object) string {
	found := ""
	for name, value := range target.Attributes() {
		switch {
		case value.IsNull():
		case found != "":
			return ""
		default:
			found = name
		}
	}
	return found
}

// object returns the value of the attribute.
func (t target) object() types.Object {
	if t.kind() == "" {
		return types.ObjectNull(targetTypes)
	}
	object, diags := types.ObjectValueFrom(context.Background(), targetTypes, t)
	if diags.HasError() {
		panic(diags[0].Detail())
	}
	return object
}

var targetTypes = resourceSchema.Attributes["target"].GetType().(attr.TypeWithAttributeTypes).AttributeTypes()

// kind returns the name of the member that is set, "" if there is none.
func (t target) kind() string {
	switch {
	case t.Firehose != nil:
		return "firehose"
	case t.Kinesis != nil:
		return "kinesis"
	case t.CloudWatchLogs != nil:
		return "cloudwatch_logs"
	case t.Debug != nil:
		return "debug"
	case t.Datadog != nil:
		return "datadog"
	}
	return ""
}

// auth returns the authentication with AWS, which is empty for other targets.
func (t target) auth() auth {
	switch {
	case t.Firehose != nil:
		return t.Firehose.Auth
	case t.Kinesis != nil:
		return t.Kinesis.Auth
	case t.CloudWatchLogs != nil:
		return t.CloudWatchLogs.Auth
	}
	return auth{}
}

func (t target) needsSecret() bool { return t.Datadog != nil || t.auth().Creds != nil }

// hasNoSecret reports whether a target surely has no secret.
func (t target) hasNoSecret() bool {
	return t.Debug != nil || t.auth().Role != nil && t.auth().Creds == nil
}

// requested converts a target to the form of the API.
func requested(object types.Object, secret types.String) *api.EventTarget {
	t := read(object)
	var with api.AWSAuth
	if a := t.auth(); a.Role != nil {
		with.Role = &api.AWSRole{RoleARN: a.Role.RoleARN.ValueString()}
	} else if a.Creds != nil {
		with.Creds = &api.AWSCreds{AccessKeyID: a.Creds.AccessKeyID.ValueString(), SecretAccessKey: api.Secret(secret.ValueString())}
	}
	switch {
	case t.Firehose != nil:
		return &api.EventTarget{Firehose: &api.FirehoseTarget{Auth: with, DeliveryStreamARN: t.Firehose.DeliveryStreamARN.ValueString()}}
	case t.Kinesis != nil:
		return &api.EventTarget{Kinesis: &api.KinesisTarget{Auth: with, StreamARN: t.Kinesis.StreamARN.ValueString()}}
	case t.CloudWatchLogs != nil:
		return &api.EventTarget{CloudWatchLogs: &api.CloudWatchLogsTarget{Auth: with, LogGroupARN: t.CloudWatchLogs.LogGroupARN.ValueString()}}
	case t.Datadog != nil:
		return &api.EventTarget{Datadog: &api.DatadogTarget{
			APIKey: api.Secret(secret.ValueString()),
			DDTags: t.Datadog.DDTags.ValueString(), Service: t.Datadog.Service.ValueString(), DDSite: t.Datadog.DDSite.ValueString(),
		}}
	}
	return &api.EventTarget{Debug: &api.DebugTarget{Log: t.Debug.Log.ValueBool(), CallbackURL: t.Debug.CallbackURL.ValueString()}}
}

// answered converts a target of the API. It keeps the known form of empty values.
func answered(known target, answer api.EventTarget) target {
	switch answer = answer.Used(); {
	case answer.Firehose != nil:
		return target{Firehose: &firehose{answeredAuth(answer.Firehose.Auth), types.StringValue(answer.Firehose.DeliveryStreamARN)}}
	case answer.Kinesis != nil:
		return target{Kinesis: &kinesis{answeredAuth(answer.Kinesis.Auth), types.StringValue(answer.Kinesis.StreamARN)}}
	case answer.CloudWatchLogs != nil:
		return target{CloudWatchLogs: &cloudWatchLogs{
			answeredAuth(answer.CloudWatchLogs.Auth), types.StringValue(answer.CloudWatchLogs.LogGroupARN),
		}}
	case answer.Debug != nil:
		before := orZero(known.Debug)
		return target{Debug: &debug{
			types.BoolValue(answer.Debug.Log), attribute.Optional(before.CallbackURL, answer.Debug.CallbackURL),
		}}
	case answer.Datadog != nil:
		before := orZero(known.Datadog)
		return target{Datadog: &datadog{
			attribute.Optional(before.DDTags, answer.Datadog.DDTags),
			attribute.Optional(before.Service, answer.Datadog.Service),
			attribute.Optional(before.DDSite, answer.Datadog.DDSite),
		}}
	}
	return target{}
}

func answeredAuth(answer api.AWSAuth) auth {
	switch answer = answer.Used(); {
	case answer.Role != nil:
		return auth{Role: &role{types.StringValue(answer.Role.RoleARN)}}
	case answer.Creds != nil:
		return auth{Creds: &creds{types.StringValue(answer.Creds.AccessKeyID)}}
	}
	return auth{}
}

func orZero[T any](value *T) T {
	if value == nil {
		value = new(T)
	}
	return *value
}
