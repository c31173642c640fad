package eventdestination_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

type object = map[string]any

const keyID = "AKIAIOSFODNN7EXAMPLE" // of the docs of AWS

// arns are right values, by the name of their attribute.
var arns = map[string]string{
	"delivery_stream_arn": "arn:aws:firehose:eu-central-1:123456789012:deliverystream/events",
	"stream_arn":          "arn:aws:kinesis:eu-central-1:123456789012:stream/events",
	"log_group_arn":       "arn:aws:logs:eu-central-1:123456789012:log-group:events",
}

func awsRole(kind, name, arn, role string) object {
	return object{kind: object{name: arn, "auth": object{"role": object{"role_arn": role}}}}
}

func awsCreds(id string) object {
	return object{"kinesis": object{"stream_arn": "arn:aws:kinesis:eu-central-1:123456789012:stream/events", "auth": object{"creds": object{"aws_access_key_id": id}}}}
}

// config returns a configuration, with the secret if it is not empty.
func config(p *acctest.Protocol, target object, secret string, more object) tftypes.Value {
	members := object{"target": target}
	maps.Copy(members, more)
	value := p.Attributes(acctest.FromJSON(p.Type("tunnel_event_destination"), members))
	if secret != "" {
		value["secret_wo"], value["secret_wo_version"] = acctest.Text(secret), acctest.Number(1)
	}
	return acctest.Object(p.Type("tunnel_event_destination"), value)
}

func plan(p *acctest.Protocol, state, config tftypes.Value) []*tfprotov6.Diagnostic {
	return p.Plan("tunnel_event_destination", state, config).Diagnostics
}

// TestEventDestination_forms plans destinations with addresses of another form.
func TestEventDestination_forms(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	none := tftypes.NewValue(p.Type("tunnel_event_destination"), nil)
	const (
		stream   = "arn:aws:kinesis:eu-central-1:123456789012:stream/events"
		firehose = "arn:aws:firehose:eu-central-1:123456789012:deliverystream/events"
		logs     = "arn:aws:logs:eu-central-1:123456789012:log-group:events"
		role     = "arn:aws:iam::123456789012:role/events"
		isError  = tfprotov6.DiagnosticSeverityError
		isWarn   = tfprotov6.DiagnosticSeverityWarning
	)
	callback := func(url string) object { return object{"debug": object{"callback_url": url}} }
	site := func(site string) object { return object{"datadog": object{"ddsite": site}} }
	for name, test := range map[string]struct {
		target   object
		severity tfprotov6.DiagnosticSeverity
		want     []string // none if the form is right
	}{
		"other partitions":               {awsRole("kinesis", "stream_arn", strings.Replace(stream, "aws", "aws-cn", 1), strings.Replace(role, "aws", "aws-us-gov", 1)), 0, nil},
		"partition of the future":        {awsRole("cloudwatch_logs", "log_group_arn", strings.Replace(logs, "aws", "aws-eusc", 1), role+"/with/a/path"), 0, nil},
		"log group with a wildcard":      {awsRole("cloudwatch_logs", "log_group_arn", logs+":*", role), 0, nil},
		"stream as a delivery stream":    {awsRole("firehose", "delivery_stream_arn", stream, role), isError, []string{"Invalid ARN", "target.firehose.delivery_stream_arn must be the ARN of a delivery stream", `found an ARN of the AWS service "kinesis"`, `expected the service "firehose"`}},
		"destination as a log group":     {awsRole("cloudwatch_logs", "log_group_arn", "arn:aws:logs:eu-central-1:123456789012:destination:d", role), isError, []string{"found the ARN of another resource"}},
		"log stream":                     {awsRole("cloudwatch_logs", "log_group_arn", logs+":log-stream:a", role), isError, []string{"For a log stream, set its log group"}},
		"ARN with a line end":            {awsRole("kinesis", "stream_arn", stream+"\n", role), isError, []string{"trimspace"}},
		"user as a role":                 {awsRole("kinesis", "stream_arn", stream, "arn:aws:iam::123456789012:user/events"), isError, []string{"role_arn must be the ARN of an IAM role", "found the ARN of another resource", "For an IAM user, set creds"}},
		"site with a scheme":             {site("https://datadoghq.eu"), isError, []string{"Invalid Datadog site", "target.datadog.ddsite must be the domain", "found a URL", "Remove the scheme"}},
		"site with a path":               {site("datadoghq.eu/api"), isError, []string{"found a path"}},
		"callback":                       {callback("http://localhost:8080/events?a=b"), 0, nil},
		"no callback":                    {callback(""), 0, nil},
		"callback without scheme":        {callback("hooks.example.com/events"), isError, []string{"Invalid URL", "target.debug.callback_url must be a URL", "no scheme", "https://"}},
		"callback with a line end":       {callback("https://a.example.com\n"), isError, []string{"white space", "trimspace"}},
		"callback with a port too high":  {callback("https://a.example.com:99999/events"), isError, []string{"a port that is not a number from 1 to 65535"}},
		"callback with a strange scheme": {callback("ftp://a.example.com"), isWarn, []string{"is not an HTTP URL"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			secret := ""
			if test.target["datadog"] != nil {
				secret = "secret"
			}
			found := plan(p, none, config(p, test.target, secret, nil))
			if test.want == nil {
				acctest.ExpectNone(t, found)
				return
			}
			acctest.Expect(t, found, test.severity, acctest.At("target"), test.want...)
		})
	}
	acctest.ExpectNone(t, plan(p, none, config(p, callback(""), "", object{"format": "json"})))
	acctest.Expect(t, plan(p, none, config(p, callback(""), "", object{"format": "JSON"})), isError, acctest.At("format"), `format is "JSON"`, "expected json", `Did you mean "json"?`)
	acctest.Expect(t, plan(p, none, config(p, callback(""), "", object{"format": "xml"})), isWarn, acctest.At("format"), `format is "xml"`, "expected json")
}

// TestEventDestination_callbackIsNotShown checks that no message repeats a URL, which
// can contain a password or a token.
func TestEventDestination_callbackIsNotShown(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	none := tftypes.NewValue(p.Type("tunnel_event_destination"), nil)
	for _, url := range []string{
		"user:PASSWORD@hooks.example.com/TOKEN", "ftp://user:PASSWORD@hooks.example.com/TOKEN", "https:///TOKEN", "https://PASSWORD a/TOKEN",
		"user:PASSWORD@hooks.example.com/TOKEN://a",
	} {
		found := plan(p, none, config(p, object{"debug": object{"callback_url": url}}, "", nil))
		if len(found) == 0 {
			t.Errorf("%s: no message", url)
		}
		for _, d := range found {
			if text := strings.ToUpper(d.Summary + d.Detail); strings.Contains(text, "PASSWORD@") || strings.Contains(text, "PASSWORD A") || strings.Contains(text, "TOKEN:") || strings.Contains(text, "/TOKEN") {
				t.Errorf("%s: %s", url, d.Detail)
			}
		}
	}
}

// TestEventDestination_secretInPublic puts secrets into attributes that are not
// secret: one error, which neither shows the value nor the line of the attribute.
func TestEventDestination_secretInPublic(t *testing.T) {
	t.Parallel()
	p := acctest.Start(t).Protocol(t)
	none := tftypes.NewValue(p.Type("tunnel_event_destination"), nil)
	const alphanumeric, apiKey = "je7MtGbClwBFd2Zp9Utkdh3yCo8nvbEXAMPLEKEY", "0123456789abcdef0123456789abcdef"
	kinesis := func(stream string) object {
		return object{"kinesis": object{"stream_arn": stream, "auth": object{"creds": object{"aws_access_key_id": keyID}}}}
	}
	for name, test := range map[string]struct {
		target object
		secret string
		more   object
		want   string
	}{
		"exchanged":             {awsCreds(secret), keyID, nil, "aws_access_key_id is not the ID of an AWS access key, and the secret is one. Exchange the two values"},
		"secret in both places": {awsCreds(secret), secret, nil, "target.kinesis.auth.creds.aws_access_key_id contains what looks like a secret"},
		"ID in both places":     {awsCreds(keyID), keyID, nil, "The secret must be an AWS secret access key"},
		"ID with a line end":    {awsCreds(keyID + "\n"), secret, nil, "found a text of 21 bytes of another form"},
		"ARN of a user":         {awsCreds("arn:aws:iam::123456789012:user/a"), secret, nil, "must be the ID of the access key, such as AKIA"},
		"description":           {awsCreds(keyID), secret, object{"description": secret}, "description contains what looks like a secret"},
		"metadata":              {awsCreds(keyID), alphanumeric, object{"metadata": `{"key":"` + alphanumeric + `"}`}, "metadata contains what looks like a secret"},
		"ARN":                   {kinesis(alphanumeric), alphanumeric, nil, "target.kinesis.stream_arn contains"},
		"tags of Datadog":       {object{"datadog": object{"ddtags": "key:" + apiKey}}, apiKey, nil, "target.datadog.ddtags contains"},
		"callback":              {object{"debug": object{"callback_url": secret}}, "", nil, "target.debug.callback_url contains"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := plan(p, none, config(p, test.target, test.secret, test.more))
			acctest.Expect(t, found, tfprotov6.DiagnosticSeverityError, nil, test.want)
			for _, value := range []string{secret, alphanumeric, apiKey, keyID + "\\", "test"} {
				if strings.Contains(found[0].Summary+found[0].Detail, value) {
					t.Errorf("it shows %s: %s", value, found[0].Detail)
				}
			}
		})
	}
	acctest.ExpectNone(t, plan(p, none, config(p, awsCreds(keyID), secret, nil)))
	acctest.ExpectNone(t, plan(p, none, config(p, awsCreds("ASIAIOSFODNN7EXAMPLE"), alphanumeric, object{"description": "da39a3ee5e6b4b0d3255bfef95601890afd80709"})))
	acctest.Expect(t, plan(p, none, config(p, awsCreds("0PN5J17HBGZHT7JJ3X82"), secret, nil)), tfprotov6.DiagnosticSeverityWarning, nil, "does not begin with AKIA or ASIA")
}

// TestEventDestination_heldAlready changes destinations that have values of another
// form since before: only what changes is checked.
func TestEventDestination_heldAlready(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	kinesis := func(id, arn string) object {
		return object{"kinesis": object{"stream_arn": arn, "auth": object{"creds": object{"aws_access_key_id": id}}}}
	}
	stored := kinesis(secret, "arn:aws:x")
	body := kinesis(secret, "arn:aws:x")
	body["kinesis"].(object)["auth"].(object)["creds"].(object)["aws_secret_access_key"] = "a"
	id := w.Create("/event_destinations", jsonText(t, object{"target": body, "metadata": secret}))
	state, _ := p.Import("tunnel_event_destination", id, nil)
	old := func(more object) object { return merged(object{"metadata": secret}, more) }
	acctest.ExpectNone(t, plan(p, state, config(p, stored, "", old(object{"format": "json"}))))
	acctest.ExpectNone(t, plan(p, state, config(p, stored, "", old(object{"description": "new"}))))
	fixed := kinesis(secret, "arn:aws:kinesis:eu-central-1:123456789012:stream/events")
	acctest.ExpectNone(t, plan(p, state, config(p, fixed, secret, old(nil))))
	acctest.ExpectNone(t, plan(p, state, config(p, kinesis(keyID, "arn:aws:x"), secret, old(nil))))
	acctest.Expect(t, plan(p, state, config(p, kinesis("test", "arn:aws:kinesis:eu-central-1:123456789012:stream/events"), secret, old(nil))),
		tfprotov6.DiagnosticSeverityError, nil, "Invalid access key ID")
}

func merged(a, b object) object {
	maps.Copy(a, b)
	return a
}

func jsonText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
