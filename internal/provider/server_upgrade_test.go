package provider_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// TestQuickUpgradesAreTheFrameworksUpgrades gives the golden states, whole and
// damaged, to the framework's server and to ours.
func TestQuickUpgradesAreTheFrameworksUpgrades(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	framework := acctest.Start(t).Framework(t)
	random := rand.New(rand.NewPCG(3, 4))
	quick, failed, mended := 0, 0, 0
	for name, schema := range p.Schema.ResourceSchemas {
		text, err := os.ReadFile(golden(name, schema.Version))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 300 {
			raw := &tfprotov6.RawState{JSON: text}
			if i > 0 {
				raw.JSON = damaged(t, random, text)
			}
			req := &tfprotov6.UpgradeResourceStateRequest{TypeName: name, Version: schema.Version + int64(random.IntN(20)/19), RawState: raw}
			ours, err := p.UpgradeResourceState(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := framework.UpgradeResourceState(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(upgradeAnswer(t, p, name, theirs), upgradeAnswer(t, p, name, ours)); diff != "" {
				t.Errorf("%s, version %d: %s (-framework +ours):\n%s", name, req.Version, raw.JSON, diff)
			}
			switch {
			case len(theirs.Diagnostics) > 0:
				failed++
			case len(ours.UpgradedState.JSON) > 0:
				quick++
			default:
				mended++
			}
		}
	}
	if quick < 100 || failed < 100 || mended < 100 {
		t.Errorf("%d were quick, %d failed, %d were others: the test shows little", quick, failed, mended)
	}
}

// damaged changes a state in a random place, or not.
func damaged(t *testing.T, random *rand.Rand, text []byte) []byte {
	t.Helper()
	var state any
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(damage(random, state))
	if err != nil {
		t.Fatal(err)
	}
	if object, ok := state.(map[string]any); ok && len(object) > 0 && out[0] == '{' && random.IntN(8) == 0 {
		names := slices.Sorted(maps.Keys(object))
		again := fmt.Sprintf("{%q:%s,", names[random.IntN(len(names))], []string{"null", "1", "true", `"text"`, "{}"}[random.IntN(5)])
		return append([]byte(again), out[1:]...)
	}
	if random.IntN(20) == 0 {
		return append(out, []byte(" {}")...)
	}
	return out
}

func damage(random *rand.Rand, value any) any {
	switch random.IntN(12) {
	case 0:
		return nil
	case 1:
		return []any{"text", 1.5, true, map[string]any{}, []any{}, []any{"a", "b"}, map[string]any{"create": "1m"}}[random.IntN(7)]
	}
	switch value := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(value))
		if len(names) == 0 {
			return value
		}
		name := names[random.IntN(len(names))]
		switch random.IntN(8) {
		case 0:
			delete(value, name)
		case 1:
			value["another"] = "text"
		default:
			value[name] = damage(random, value[name])
		}
	case []any:
		if len(value) > 0 {
			i := random.IntN(len(value))
			value[i] = damage(random, value[i])
		}
	}
	return value
}

// upgradeAnswer is all that Terraform sees of an upgrade, as text.
func upgradeAnswer(t *testing.T, p *acctest.Protocol, name string, resp *tfprotov6.UpgradeResourceStateResponse) []string {
	t.Helper()
	var seen []string
	if resp.UpgradedState != nil {
		of := ctyType(t, p.Type(name))
		var value cty.Value
		var err error
		if len(resp.UpgradedState.JSON) > 0 {
			value, err = ctyjson.Unmarshal(resp.UpgradedState.JSON, of)
		} else {
			value, err = msgpack.Unmarshal(resp.UpgradedState.MsgPack, of)
		}
		seen = append(seen, fmt.Sprint(value.GoString(), err))
	}
	for _, d := range resp.Diagnostics {
		seen = append(seen, fmt.Sprint(d.Severity, d.Summary, d.Detail, d.Attribute))
	}
	return seen
}
