package provider_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// withText returns copies of a value in which one text is another one, by the place
// of the text: each string, and each key of a map. A null string becomes the text.
func withText(value tftypes.Value, secret string) map[string]tftypes.Value {
	found := map[string]tftypes.Value{}
	_ = tftypes.Walk(value, func(at *tftypes.AttributePath, part tftypes.Value) (bool, error) {
		replace := func(place string, by tftypes.Value) {
			copied, err := tftypes.Transform(value, func(path *tftypes.AttributePath, old tftypes.Value) (tftypes.Value, error) {
				if path.Equal(at) {
					return by, nil
				}
				return old, nil
			})
			if err != nil {
				panic(err)
			}
			found[" "+at.String()+place] = copied
		}
		var members map[string]tftypes.Value
		switch {
		case part.Type().Is(tftypes.String):
			replace("", text(secret))
		case part.Type().Is(tftypes.Map{}) && !part.IsNull() && part.As(&members) == nil && len(members) > 0:
			members = maps.Clone(members)
			for key := range maps.Clone(members) {
				members[secret] = members[key]
				delete(members, key)
			}
			replace(" key", tftypes.NewValue(part.Type(), members))
		}
		return true, nil
	})
	return found
}

// publicPlaces calls do with configurations of all kinds that contain a text in one
// place each that is neither secret nor computed, and with the other arguments.
func publicPlaces(t *testing.T, w *acctest.Env, secret string, do func(t *testing.T, kind, place string, config arguments)) {
	t.Helper()
	p := w.Protocol(t)
	for _, kind := range acctest.Kinds {
		keys, base := kind.Configuration(t, w)
		for name, key := range keys {
			if value, ok := base[name]; ok && value.IsNull() && name != "id" {
				base[name] = text(key)
			}
		}
		all := []arguments{base}
		if kind.Type == "tunnel_event_destination" { // its target is exactly one of several
			all = append(all, eventTargets(base)...)
		}
		for _, base := range all {
			acctest.ExpectNone(t, errorsOf(p.Check(kind.Type, base)))
			for _, attribute := range p.Schema.ResourceSchemas[kind.Type].Block.Attributes {
				if attribute.Sensitive || attribute.WriteOnly || !attribute.Required && !attribute.Optional {
					continue
				}
				for place, value := range withText(base[attribute.Name], secret) {
					config := maps.Clone(base)
					config[attribute.Name] = value
					do(t, kind.Type, attribute.Name+place, config)
				}
			}
		}
	}
}

// eventTargets returns the arguments with each kind of target that has texts.
func eventTargets(base arguments) []arguments {
	role := jsonArguments{"role": jsonArguments{"role_arn": "arn:aws:iam::123456789012:role/events"}}
	creds := jsonArguments{"creds": jsonArguments{"aws_access_key_id": "AKIAIOSFODNN7EXAMPLE"}}
	var all []arguments
	for _, target := range []jsonArguments{
		{"kinesis": jsonArguments{"stream_arn": "arn:aws:kinesis:eu-central-1:123456789012:stream/events", "auth": role}},
		{"firehose": jsonArguments{"delivery_stream_arn": "arn:aws:firehose:eu-central-1:123456789012:deliverystream/events", "auth": creds}},
		{"cloudwatch_logs": jsonArguments{"log_group_arn": "arn:aws:logs:eu-central-1:123456789012:log-group:events", "auth": creds}},
		{"datadog": jsonArguments{"ddtags": "env:prod", "service": "tunnel", "ddsite": "datadoghq.eu"}},
	} {
		config := maps.Clone(base)
		config["target"] = acctest.FromJSON(base["target"].Type(), target)
		if target["kinesis"] == nil {
			config["secret_wo"], config["secret_wo_version"] = text("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"), acctest.Number(1)
		}
		all = append(all, config)
	}
	return all
}

func errorsOf(diagnostics []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	return slices.DeleteFunc(diagnostics, func(d *tfprotov6.Diagnostic) bool { return d.Severity != tfprotov6.DiagnosticSeverityError })
}

// TestPublicSecrets_privateKey puts a private key into every attribute of every kind
// that is not secret. An error of the attribute shows no part of the key, and Terraform
// prints no line of it.
func TestPublicSecrets_privateKey(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t, testserver.WithContractCheck(func(error) {}))
	p := w.Protocol(t)
	key := testcert.PKCS8(t, testcert.Key(t, ""))
	content := strings.Split(key, "\n")[1]
	refused := 0
	check := func(t *testing.T, kind, place string, config arguments) {
		root, _, _ := strings.Cut(place, " ")
		for _, d := range errorsOf(p.Check(kind, config)) {
			if d.Attribute != nil && !strings.HasPrefix(d.Attribute.String(), `AttributeName("`+root) {
				continue // of an attribute that depends on this one
			}
			refused++
			if message := d.Summary + ": " + d.Detail; d.Attribute != nil || strings.Contains(message, content) {
				t.Errorf("%s: %s: Terraform prints the key at %s: %s", kind, place, d.Attribute, message)
			}
		}
	}
	publicPlaces(t, w, key, check)
	publicPlaces(t, w, quoted(jsonArguments{"a": jsonArguments{"b": key}}), check)
	if refused < 100 {
		t.Errorf("only %d errors", refused)
	}
}
