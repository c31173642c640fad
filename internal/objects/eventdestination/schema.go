package eventdestination

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// One attribute holds the secret of any target: a resource can have only one
// sensitive attribute, see TestSchema_oneSensitiveAttribute.
var resourceSchema = schema.Schema{
	Description: "An event destination: it receives the events of event subscriptions, for example in a stream of AWS, in Datadog " +
		"or as a webhook. " +
		"To use it, add its ID to `destination_ids` of a `tunnel_event_subscription`. " +
		crud.ReplaceInUse("a destination") +
		" The API documentation does not describe event destinations: this resource matches public services of this kind.",
	Attributes: crud.ObjectAttributes(api.EventDestinations.Kind, targetSecret.Add(map[string]schema.Attribute{
		"format": schema.StringAttribute{
			Optional:    true,
			Computed:    true,
			Default:     stringdefault.StaticString(defaultFormat),
			Description: "Format of the events. Public services of this kind support `json`.\nDefaults to `json`. Can be updated in place.",
			Validators:  attribute.UsuallyOneOf("json"),
		},
		"target": schema.SingleNestedAttribute{
			Required: true,
			Description: "Where the events go.\nExactly one of the attributes must be set. " +
				"Can be updated in place. Changing which of them is set forces a new resource to be created.",
			Validators:    []validator.Object{attribute.ExactlyOne},
			PlanModifiers: []planmodifier.Object{objectplanmodifier.RequiresReplaceIf(otherKind, replaces, replaces)},
			Attributes: map[string]schema.Attribute{
				"firehose": optional("A delivery stream of Amazon Data Firehose.", withAuth(
					"delivery_stream_arn", "ARN of the delivery stream", deliveryStream,
				)),
				"kinesis":         optional("A stream of Amazon Kinesis Data Streams.", withAuth("stream_arn", "ARN of the stream", stream)),
				"cloudwatch_logs": optional("A log group of Amazon CloudWatch Logs.", withAuth("log_group_arn", "ARN of the log group", logGroup)),
				"debug": optional("A webhook, or output for debugging.", map[string]schema.Attribute{
					"log": schema.BoolAttribute{
						Optional:    true,
						Computed:    true,
						Default:     booldefault.StaticBool(false),
						Description: "Whether the service writes the events to its own log.\nDefaults to `false`.",
					},
					"callback_url": text("URL of a webhook, to which the service sends the events, such as `https://hooks.example.com/events`.",
						form("a URL", checkURL), usuallyHTTP),
				}),
				"datadog": optional("Datadog. Its API key is the secret.", map[string]schema.Attribute{
					"ddtags":  text("Tags of the events, such as `env:prod,team:platform`."),
					"service": text("Name of the service that the events belong to in Datadog."),
					"ddsite":  text("Datadog site, such as `datadoghq.eu`.", form("a Datadog site", checkSite)),
				}),
			},
		},
	})),
}

var targetSecret = crud.Secret{
	Name: "secret", Title: "secret",
	Validators: []validator.String{attribute.Secret},
	Description: "Secret of the target, such as the API key for `datadog`. For `creds`, it is the AWS secret access key. " +
		"Other targets have no secret.",
	Sent: "when the event destination is created, when its target or `secret_wo_version` changes, and when it replaces `secret`",
	Needed: "An imported event destination needs neither until its target changes. If you remove this later, the event " +
		"destination keeps its secret.",
	PlainChange: "Can be updated in place.",
	VersionChange: "Can be updated in place: the secret is sent again. " +
		"Setting it for the first time, for example after an import, sends the secret, too.",
}

const defaultFormat = "json" // also of a response without a format

const replaces = "Another kind of target replaces the event destination."

// otherKind requires a replacement if the kind of target changes, and both are
// known.
func otherKind(_ context.Context, req planmodifier.ObjectRequest, resp *objectplanmodifier.RequiresReplaceIfFuncResponse) {
	planned, existing := kindOf(req.PlanValue), kindOf(req.StateValue)
	resp.RequiresReplace = planned != "" && existing != "" && planned != existing
}

// withAuth returns the attributes of a target in AWS.
func withAuth(name, description string, arn arnOf) map[string]schema.Attribute {
	return map[string]schema.Attribute{
		name: requiredARN(description, arn),
		"auth": schema.SingleNestedAttribute{
			Required:    true,
			Description: "Authentication with AWS.\nExactly one of `role` and `creds` must be set.",
			Validators:  []validator.Object{attribute.ExactlyOne},
			Attributes: map[string]schema.Attribute{
				"role": optional("A role that the service assumes.", map[string]schema.Attribute{
					"role_arn": requiredARN("ARN of the role", iamRole),
				}),
				"creds": optional("An access key. Its secret access key is the secret.", map[string]schema.Attribute{
					"aws_access_key_id": required("ID of the access key, such as `AKIAIOSFODNN7EXAMPLE`."),
				}),
			},
		},
	}
}

func optional(description string, attributes map[string]schema.Attribute) schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{Optional: true, Description: description, Attributes: attributes}
}

func requiredARN(description string, arn arnOf) schema.StringAttribute {
	return required(description+", such as `"+arn.example+"`.", form("an ARN", arn.check))
}

func required(description string, form ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		Required: true, Description: description, Validators: append([]validator.String{attribute.NotEmpty}, form...),
		PlanModifiers: []planmodifier.String{attribute.KeepGenerated},
	}
}

func text(description string, form ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Description: description, Validators: form, PlanModifiers: []planmodifier.String{attribute.KeepGenerated},
	}
}
