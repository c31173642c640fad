package eventdestination

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// The forms of addresses and names outside of the service. No service can use a
// value of another form. A secret in a wrong place is reported by checkPublic, which
// does not make Terraform print it.

// form returns a validator of a value that is not empty.
func form(description string, rule func(string) error) validator.String {
	return attribute.Limit(description, func(text string) error {
		if text == "" || quote.IsSecretAccessKey(text) {
			return nil
		}
		return rule(text)
	})
}

// An arnOf is the kind of AWS resource that an ARN names.
type arnOf struct {
	noun     string // such as "a stream"
	service  string
	resource string // how the last part of the ARN begins
	example  string
	hint     string // what to do with the ARN of another resource of the service
}

var (
	deliveryStream = arnOf{
		"a delivery stream of Amazon Data Firehose", "firehose", "deliverystream/",
		"arn:aws:firehose:eu-central-1:123456789012:deliverystream/events", "",
	}
	stream = arnOf{
		"a stream of Amazon Kinesis Data Streams", "kinesis", "stream/",
		"arn:aws:kinesis:eu-central-1:123456789012:stream/events", "",
	}
	logGroup = arnOf{
		"a log group of Amazon CloudWatch Logs", "logs", "log-group:",
		"arn:aws:logs:eu-central-1:123456789012:log-group:events", ". For a log stream, set its log group: end before :log-stream",
	}
	iamRole = arnOf{
		"an IAM role", "iam", "role/", "arn:aws:iam::123456789012:role/events",
		". For an IAM user, set creds to one of its access keys",
	}
)

// check returns an error for a text that is surely not such an ARN. It accepts every
// partition, region and account.
func (of arnOf) check(text string) error {
	parts := strings.SplitN(text, ":", 6)
	found := quote.Value(text)
	hint := ""
	switch {
	case strings.TrimSpace(text) != text:
		found, hint = "white space at the beginning or end", ". Remove it with trimspace(...)"
	case len(parts) < 6 || parts[0] != "arn":
	case parts[2] != of.service:
		found = fmt.Sprintf("an ARN of the AWS service %s: %s", quote.Value(parts[2]), found)
		hint = fmt.Sprintf("; expected the service %q", of.service)
	case !strings.HasPrefix(parts[5], of.resource), strings.Contains(parts[5], ":log-stream:"):
		found, hint = "the ARN of another resource: "+found, of.hint
	default:
		return nil
	}
	return fmt.Errorf("must be the ARN of %s, such as %s; found %s%s", of.noun, of.example, found, hint)
}

// checkSite returns an error for a text that is not the name of a host.
func checkSite(text string) error {
	found := ""
	switch {
	case strings.Contains(text, "://"):
		found = "a URL: " + quote.Value(text) + ". Remove the scheme and the path"
	case strings.Contains(text, "/"):
		found = "a path: " + quote.Value(text) + ". Remove it"
	case strings.ContainsAny(text, " \t\r\n"):
		found = "white space: " + quote.Value(text) + ". Remove it"
	default:
		return nil
	}
	return fmt.Errorf("must be the domain of a Datadog site, such as datadoghq.eu; found %s", found)
}

// checkURL returns an error for a text that is not a URL with a scheme and a host.
func checkURL(text string) error {
	found := "a text" + urlNotShown
	parsed, err := url.Parse(text)
	switch {
	case strings.TrimSpace(text) != text:
		found += " with white space at the beginning or end. Remove it with trimspace(...)"
	case !strings.Contains(text, "://"):
		found += ", which has no scheme. Begin it with https://"
	case err == nil && parsed.Host == "":
		found += ", which has no host"
	case err == nil && parsed.Port() != "" && !attribute.IsPort(parsed.Port()):
		found += " with a port that is not a number from 1 to 65535"
	case err == nil:
		return nil
	}
	return fmt.Errorf("must be a URL, such as https://hooks.example.com/events; found %s", found)
}

// urlNotShown explains why a message does not repeat a URL.
const urlNotShown = " (not shown, because a URL can contain a password or a token)"

// usuallyHTTP warns about a URL that is not one of HTTP.
var usuallyHTTP = attribute.Unusual("an HTTP URL", func(text string) error {
	if scheme, _, ok := strings.Cut(strings.ToLower(text), "://"); ok && scheme != "https" && scheme != "http" {
		return fmt.Errorf("is not an HTTP URL%s. Expected one that begins with https:// or http://", urlNotShown)
	}
	return nil
})
