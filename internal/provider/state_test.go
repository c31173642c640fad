package provider_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

var update = flag.String("update", "", "resource type whose golden state is written, if it does not have the attributes of the schema")

// TestState_everyReleaseIsReadable reads a golden state for each version of
// each schema, and expects a plan without changes. The golden state of a release is
// never rewritten: a change that makes this test fail needs a new version of the
// schema, and an upgrade of the state. "make update" writes the others again.
func TestState_everyReleaseIsReadable(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for name, schema := range p.Schema.ResourceSchemas {
		if name == *update {
			record(t, name, schema)
		}
		for version := range schema.Version + 1 {
			raw, err := os.ReadFile(golden(name, version))
			if err != nil {
				t.Errorf("%s: no golden state of version %d: run make update KIND=%s (%v)", name, version, strings.TrimPrefix(name, "tunnel_"), err)
				continue
			}
			resp, err := p.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
				TypeName: name, Version: version, RawState: &tfprotov6.RawState{JSON: raw},
			})
			if err != nil {
				t.Fatal(err)
			}
			p.Must(resp.Diagnostics)
			state := p.Value(p.Type(name), resp.UpgradedState)
			planned := p.Plan(name, state, written(t, schema, state))
			p.Must(planned.Diagnostics)
			if len(planned.RequiresReplace) > 0 {
				t.Errorf("%s, state of version %d: a plan replaces the object because of %v", name, version, planned.RequiresReplace)
			}
			if diff, err := state.Diff(p.Value(p.Type(name), planned.PlannedState)); err != nil || len(diff) > 0 {
				t.Errorf("%s, state of version %d: a plan changes %v (%v)", name, version, diff, err)
			}
		}
	}
}

func golden(name string, version int64) string {
	return filepath.Join("testdata", "state", fmt.Sprintf("%s.v%d.json", name, version))
}

// written returns the configuration that led to a state, with all attributes
// that can be configured.
func written(t *testing.T, schema *tfprotov6.Schema, state tftypes.Value) tftypes.Value {
	t.Helper()
	var attributes map[string]tftypes.Value
	if err := state.As(&attributes); err != nil {
		t.Fatal(err)
	}
	config := map[string]tftypes.Value{}
	for _, attribute := range schema.Block.Attributes {
		if attribute.Optional || attribute.Required {
			config[attribute.Name] = attributes[attribute.Name]
		}
	}
	return acctest.Object(state.Type(), config)
}

// record writes the golden state of a type, unless it has all attributes. It imports an
// object with all fields set, and writes its state as Terraform would.
func record(t *testing.T, name string, schema *tfprotov6.Schema) {
	t.Helper()
	file := golden(name, schema.Version)
	var stored map[string]any
	if raw, err := os.ReadFile(file); err == nil && json.Unmarshal(raw, &stored) != nil {
		t.Fatalf("%s is not JSON", file)
	}
	if !slices.ContainsFunc(schema.Block.Attributes, func(a *tfprotov6.SchemaAttribute) bool { _, has := stored[a.Name]; return !has }) {
		return
	}
	w := acctest.Start(t)
	kind := acctest.KindOf(t, name)
	p := w.Protocol(t)
	state, _ := p.Import(name, kind.ImportID(kind.Create(t, w)), nil)
	text := strings.ReplaceAll(quoted(acctest.JSON(t, state)), w.URL, "https://api.example.com")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}
