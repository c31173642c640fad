package provider_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// placements returns values of a type that contain a text in one place each, by
// the place. Elements that a value needs are not null.
func placements(of tftypes.Type, secret string) map[string]tftypes.Value {
	found := map[string]tftypes.Value{}
	switch of := of.(type) {
	case tftypes.List:
		for at, value := range placements(of.ElementType, secret) {
			found["[0]"+at] = tftypes.NewValue(of, []tftypes.Value{value})
			if of.ElementType.Is(tftypes.String) {
				found["[0,1]"+at] = tftypes.NewValue(of, []tftypes.Value{value, value})
			}
		}
	case tftypes.Map:
		for at, value := range placements(of.ElementType, secret) {
			found["[k]"+at] = tftypes.NewValue(of, map[string]tftypes.Value{"k": value})
			found["{key}"+at] = tftypes.NewValue(of, map[string]tftypes.Value{secret: value, strings.ToUpper(secret): value})
		}
		if of.ElementType.Is(tftypes.String) {
			found["{null}"] = tftypes.NewValue(of, map[string]tftypes.Value{secret: tftypes.NewValue(tftypes.String, nil)})
		}
	case tftypes.Object:
		for name, attribute := range of.AttributeTypes {
			for at, value := range placements(attribute, secret) {
				found["."+name+at] = acctest.Object(of, arguments{name: value})
			}
		}
	default:
		switch {
		case of.Is(tftypes.String):
			for _, form := range []string{"%s", "bind:%s", "%s:443", "*.%s", "https://%s", "%s.v", "10.0.0.0/%s", "{%q: 1}", "{%[1]q: 1, %[1]q: 2}", "{\"allow\": [%q]}", "{\"enforce\": %q}", "%q", "a(%s", "%s,b", "[%s]:22", "%s:22"} {
				found[" as "+form] = text(fmt.Sprintf(form, secret))
			}
		case of.Is(tftypes.DynamicPseudoType):
			for name, member := range map[string]string{"inbound": secret, "outbound": secret, "conn": secret, "now": secret, secret: "x"} {
				found["."+name] = tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{name: tftypes.String}}, map[string]tftypes.Value{name: text(member)})
			}
			found[""] = text(secret)
		}
	}
	return found
}

// A value in a wrong place can be a secret. Whatever the attribute, no message
// contains a line of it.
func TestDiagnostics_quoteNoSecrets(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t, testserver.WithContractCheck(func(error) {})) // the texts are no valid IDs
	p := w.Protocol(t)
	key := testcert.PKCS8(t, testcert.Key(t, ""))
	secrets, argument := map[string]bool{}, regexp.MustCompile(`^\w+\.\w+`)
	for name, schema := range p.Schema.ResourceSchemas {
		for _, attribute := range schema.Block.Attributes {
			secrets[name+"."+attribute.Name] = attribute.Sensitive || attribute.WriteOnly
		}
	}
	seen := 0
	everyPlace(t, p, []string{
		key,
		strings.ReplaceAll(key, "\n", `\n`),
		strings.Repeat("hunter2", 8) + "\n" + strings.Repeat("swordfish", 6) + "\n",
		strings.Repeat("correcthorsebatterystaple", 8),
		strings.Split(testcert.PKCS8(t, testcert.Key(t, "ed25519")), "\n")[1],
		// With one slash, it has as many parts as the ID of a route.
		"MC4CAQAwBQYDK2VwBCIEIAUIk0QcTFK6tltP/JbF90kl+vx4RSmIUAtBD+NEnRkO", // of this test alone
	}, func(secret, where string, diagnostics []*tfprotov6.Diagnostic) {
		seen += len(diagnostics)
		for _, d := range diagnostics {
			if (strings.Contains(secret, "PRIVATE KEY") || secrets[argument.FindString(where)]) && printsLine(where, d) {
				t.Errorf("%s: Terraform prints the line of the argument: %s: %s", where, d.Summary, d.Detail)
			}
			for line := range strings.SplitSeq(strings.ReplaceAll(secret, `\n`, "\n"), "\n") {
				line = strings.ToLower(line[:min(len(line), 50)])
				if len(line) > 10 && !strings.HasPrefix(line, "-----") && strings.Contains(strings.ToLower(d.Summary+" "+d.Detail), line) {
					t.Errorf("%s: the message shows the value: %s: %s", where, d.Summary, d.Detail)
				}
			}
		}
	})
	if seen < 1000 {
		t.Fatalf("only %d messages were checked", seen)
	}
}

// printsLine reports whether Terraform prints the line of an argument of a resource with
// a diagnostic.
func printsLine(where string, d *tfprotov6.Diagnostic) bool {
	if d.Attribute == nil || !strings.HasPrefix(where, "tunnel_") {
		return false
	}
	_, argument, _ := strings.Cut(where, ".")
	name, _ := d.Attribute.Steps()[0].(tftypes.AttributeName)
	return strings.HasPrefix(argument, string(name)) && strings.Trim(argument[len(name):], "abcdefghijklmnopqrstuvwxyz_") == argument[len(name):]
}

// everyPlace sets texts in each place of each attribute of every kind, data source,
// list, function and of the provider block, and checks the diagnostics. Without TF_ACC,
// the texts take turns: all of them in each place take a tenth of make test.
func everyPlace(t *testing.T, p *acctest.Protocol, texts []string, check func(text, where string, diagnostics []*tfprotov6.Diagnostic)) {
	t.Helper()
	if os.Getenv("TF_ACC") != "" {
		for _, text := range texts {
			eachPlace(t, p, func() string { return text }, check)
		}
		return
	}
	turn := rand.IntN(len(texts))
	eachPlace(t, p, func() string {
		turn++
		return texts[turn%len(texts)]
	}, check)
}

func eachPlace(t *testing.T, p *acctest.Protocol, next func() string, check func(text, where string, diagnostics []*tfprotov6.Diagnostic)) {
	t.Helper()
	each := func(what string, schema *tfprotov6.Schema, do func(arguments) []*tfprotov6.Diagnostic) {
		for _, attribute := range schema.Block.Attributes {
			if !attribute.Required && !attribute.Optional {
				continue
			}
			text := next()
			for at, value := range placements(attribute.ValueType(), text) {
				check(text, what+"."+attribute.Name+at, do(arguments{attribute.Name: value}))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Schema.ResourceSchemas)) {
		each(name, p.Schema.ResourceSchemas[name], func(a arguments) []*tfprotov6.Diagnostic { return p.Check(name, a) })
		text := next()
		for _, id := range []string{text, text + "/" + text, "a/b/" + text, text + " ", "https://api.example.com/" + text} {
			check(text, "import of "+name, importErrors(t, p, name, id))
		}
	}
	for name, schema := range p.Schema.DataSourceSchemas {
		each("data."+name, schema, func(a arguments) []*tfprotov6.Diagnostic {
			resp, err := p.ValidateDataResourceConfig(t.Context(), &tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: p.Dynamic(acctest.Object(schema.ValueType(), a))})
			if err != nil {
				t.Fatal(err)
			}
			_, read := p.TryDataSource(name, a)
			return append(resp.Diagnostics, read...)
		})
	}
	for name, schema := range p.Schema.ListResourceSchemas {
		each("list "+name, schema, func(a arguments) []*tfprotov6.Diagnostic {
			_, diagnostics := p.TryList(name, 0, a)
			return diagnostics
		})
	}
	each("provider", p.Schema.Provider, func(a arguments) []*tfprotov6.Diagnostic {
		resp, err := p.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: p.Dynamic(acctest.Object(p.Schema.Provider.ValueType(), a))})
		if err != nil {
			t.Fatal(err)
		}
		return append(resp.Diagnostics, acctest.NewProtocol(t).TryConfigure(a)...)
	})
	for name, function := range p.Schema.Functions {
		parameters := function.Parameters
		if function.VariadicParameter != nil {
			parameters = append(slices.Clone(parameters), function.VariadicParameter)
		}
		for i, parameter := range parameters {
			text := next()
			for at, value := range placements(parameter.Type, text) {
				given := make([]tftypes.Value, len(parameters))
				for j, other := range parameters {
					given[j] = placements(other.Type, "x")[""]
					for _, any := range placements(other.Type, "x") {
						given[j] = any
					}
				}
				if function.VariadicParameter != nil && i < len(function.Parameters) {
					given = given[:len(function.Parameters)]
				}
				given[i] = value
				if _, err := p.Call(name, given...); err != nil {
					check(text, name+"("+parameter.Name+at+")", []*tfprotov6.Diagnostic{{Detail: err.Text}})
				}
			}
		}
	}
}
