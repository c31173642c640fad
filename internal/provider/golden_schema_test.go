package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestSchema_golden compares all schemas with the last accepted ones. Run it
// with -update to accept a change, which is then visible in the review.
func TestSchema_golden(t *testing.T) {
	t.Parallel()
	file := filepath.Join("testdata", "schemas.txt")
	text := schemaText(acctest.NewProtocol(t).Schema)
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("the schemas changed (-accepted +now). If that is on purpose, run this test with -update:\n%s", diff)
	}
}

// schemaText returns a line for each schema, attribute and function, with types
// and flags.
func schemaText(schema *tfprotov6.GetProviderSchemaResponse) string {
	var lines []string
	add := func(what string, s *tfprotov6.Schema) {
		lines = append(lines, fmt.Sprintf("%s version %d", what, s.Version))
		lines = append(lines, attributeLines(what, s.Block.Attributes)...)
	}
	add("provider", schema.Provider)
	for name, s := range schema.ResourceSchemas {
		add("resource "+name, s)
	}
	for name, s := range schema.DataSourceSchemas {
		add("data "+name, s)
	}
	for name, s := range schema.ListResourceSchemas {
		add("list "+name, s)
	}
	for name, f := range schema.Functions {
		var parameters []string
		for _, p := range f.Parameters {
			parameters = append(parameters, p.Type.String())
		}
		lines = append(lines, fmt.Sprintf("function %s(%s) %s", name, strings.Join(parameters, ", "), f.Return.Type))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

func attributeLines(what string, attributes []*tfprotov6.SchemaAttribute) []string {
	var lines []string
	for _, a := range attributes {
		line := what + "." + a.Name
		if a.NestedType != nil {
			lines = append(lines, attributeLines(line, a.NestedType.Attributes)...)
			line += " " + a.NestedType.Nesting.String()
		} else {
			line += " " + a.Type.String()
		}
		for flag, set := range map[string]bool{
			"required": a.Required, "optional": a.Optional, "computed": a.Computed, "sensitive": a.Sensitive, "write-only": a.WriteOnly, "deprecated": a.Deprecated,
		} {
			if set {
				line += " " + flag
			}
		}
		fields := strings.Fields(line)
		slices.Sort(fields[2:])
		lines = append(lines, strings.Join(fields, " "))
	}
	return lines
}

// Attributes in a state that no longer exist in the schema are dropped.
func TestState_unknownAttributesAreDropped(t *testing.T) {
	t.Parallel()
	if *update {
		t.Skip("the states are being written")
	}
	p := acctest.NewProtocol(t)
	for _, kind := range acctest.Kinds {
		schema := p.Schema.ResourceSchemas[kind.Type]
		raw, err := os.ReadFile(golden(kind.Type, schema.Version))
		if err != nil {
			t.Fatal(err)
		}
		old := strings.Replace(string(raw), "{", `{"timeouts":{"create":"1h"},"no_longer_there":[{"a":1}],`, 1)
		read := func(json string) string {
			resp, err := p.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
				TypeName: kind.Type, Version: schema.Version, RawState: &tfprotov6.RawState{JSON: []byte(json)},
			})
			if err != nil {
				t.Fatal(err)
			}
			p.Must(resp.Diagnostics)
			return p.Value(p.Type(kind.Type), resp.UpgradedState).String()
		}
		if diff := cmp.Diff(read(string(raw)), read(old)); diff != "" {
			t.Errorf("%s: the state with attributes that no longer exist is read differently:\n%s", kind.Type, diff)
		}
	}
}
