package provider_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

const shortest = 19 // bytes: "Id of the tunnel." is no help

// configuring matches phrases about configuring, which do not belong in the
// descriptions of data sources and lists.
var configuring = regexp.MustCompile(`(?i)updated in place|forces a new resource|create_before_destroy|if unset, an existing|write-only`)

func TestSchema_descriptions(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	schema := p.Schema
	identities, err := p.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	for name, identity := range identities.IdentitySchemas {
		for _, key := range identity.IdentityAttributes {
			sentence(t, "identity of "+name+", "+key.Name, key.Description)
		}
	}
	checkDescriptions(t, "provider", schema.Provider.Block)
	for name, s := range schema.ResourceSchemas {
		checkDescriptions(t, "resource "+name, s.Block)
		changes(t, "resource "+name, s.Block.Attributes)
	}
	for name, s := range schema.DataSourceSchemas {
		checkDescriptions(t, "data source "+name, s.Block)
	}
	for name, s := range schema.ListResourceSchemas {
		checkDescriptions(t, "list "+name, s.Block)
	}
	for name, f := range schema.Functions {
		sentence(t, "function "+name, f.Summary)
		sentence(t, "function "+name, f.Description)
		for _, parameter := range f.Parameters {
			sentence(t, "function "+name+", "+parameter.Name, parameter.Description)
		}
	}
}

func checkDescriptions(t *testing.T, what string, block *tfprotov6.SchemaBlock) {
	t.Helper()
	sentence(t, what, block.Description)
	describedAttributes(t, what, block.Attributes)
}

func describedAttributes(t *testing.T, what string, attributes []*tfprotov6.SchemaAttribute) {
	t.Helper()
	for _, attribute := range attributes {
		name := what + ", " + attribute.Name
		sentence(t, name, attribute.Description)
		if !strings.HasPrefix(what, "resource") && !strings.HasPrefix(what, "provider") && configuring.MatchString(attribute.Description) {
			t.Errorf("%s speaks of configuring: %q", name, attribute.Description)
		}
		if attribute.NestedType != nil {
			describedAttributes(t, name, attribute.NestedType.Attributes)
		}
	}
}

var limit = regexp.MustCompile(`(?i)at most|at least|warns above|one of|lowercase|expressions|rfc 3339 format|such as|for example|defaults to|pem|authorized-keys|hours|wildcards|with its version`)

// onChange matches the part of a description that says what a change does. The
// lifecycle matrix tests that it is true.
var onChange = regexp.MustCompile(`(Changing this|Changing the certificates) forces a new resource to be created|Can be updated in place`)

// changes expects the description of each attribute that can be configured to
// say what a change does, and which values are valid.
func changes(t *testing.T, what string, attributes []*tfprotov6.SchemaAttribute) {
	t.Helper()
	for _, attribute := range attributes {
		if !attribute.Required && !attribute.Optional {
			continue
		}
		if !attribute.WriteOnly && !onChange.MatchString(attribute.Description) {
			t.Errorf("%s, %s does not say what happens on a change: %q, which must match %s", what, attribute.Name, attribute.Description, onChange)
		}
		if !limit.MatchString(attribute.Description) {
			t.Errorf("%s, %s does not say what it may be: %q. Add for example \"such as `x`\", \"One of `a` or `b`\" or \"At most 255 bytes\"; it must match %s", what, attribute.Name, attribute.Description, limit)
		}
	}
}

func sentence(t *testing.T, what, text string) {
	t.Helper()
	if len(text) < shortest || !strings.HasSuffix(text, ".") || strings.TrimSpace(text) != text || strings.Contains(text, "  ") {
		t.Errorf("%s: the description is too short, or no sentence, or has stray white space: %q", what, text)
	}
}

// TestSchema_noSets exists because the plugin framework compares all pairs of elements of
// a set.
func TestSchema_noSets(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for name := range p.Schema.ResourceSchemas {
		if of := p.Type(name).String(); strings.Contains(of, "tftypes.Set") {
			t.Errorf("%s has a set: %s", name, of)
		}
	}
}

// Terraform (seen with 1.11) stores the sensitive attributes of a resource in a
// random order and compares them in order. With two of them, every second
// terraform plan -refresh-only -detailed-exitcode returns 2 although nothing
// changed.
func TestSchema_oneSensitiveAttribute(t *testing.T) {
	t.Parallel()
	for name, schema := range acctest.NewProtocol(t).Schema.ResourceSchemas {
		sensitive := 0
		for _, attribute := range schema.Block.Attributes {
			if attribute.Sensitive {
				sensitive++
			}
		}
		if sensitive > 1 {
			t.Errorf("%s has %d sensitive attributes", name, sensitive)
		}
	}
}
