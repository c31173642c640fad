package provider_test

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// TestUpgradeResourceState_likeTheFramework damages the golden state of each
// resource type in many ways, such as attributes of a newer version, and
// compares the state that Terraform receives with the framework's.
func TestUpgradeResourceState_likeTheFramework(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	framework := providerserver.NewProtocol6(provider.New("test")())()
	upgrade := func(server tfprotov6.ProviderServer, name string, version int64, state []byte) *tfprotov6.UpgradeResourceStateResponse {
		resp, err := server.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
			TypeName: name, Version: version, RawState: &tfprotov6.RawState{JSON: state},
		})
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	for name, schema := range p.Schema.ResourceSchemas {
		compare := func(version int64, state []byte) *tfprotov6.DynamicValue {
			t.Helper()
			want, got := upgrade(framework, name, version, state), upgrade(p, name, version, state)
			if len(want.Diagnostics) > 0 {
				if len(got.Diagnostics) != len(want.Diagnostics) {
					t.Errorf("%s: no error for a state of version %d: %s", name, version, state)
				}
				return nil
			}
			p.Must(got.Diagnostics)
			was, is := p.Value(p.Type(name), want.UpgradedState), p.Value(p.Type(name), got.UpgradedState)
			if !was.IsNull() { // what is renewed; see RenewState in package crud
				before, now := p.Attributes(was), p.Attributes(is)
				for _, attribute := range schema.Block.Attributes {
					empty, isCollection := emptyOf(attribute.ValueType())
					switch {
					case attribute.WriteOnly:
						before[attribute.Name] = tftypes.NewValue(attribute.Type, nil)
					case isCollection && (attribute.Optional || attribute.Required) && before[attribute.Name].IsNull() && now[attribute.Name].Equal(empty):
						before[attribute.Name] = empty
					}
				}
				was = tftypes.NewValue(p.Type(name), before)
			}
			if !is.Equal(was) {
				t.Errorf("%s: %s\nis %s\nwant %s", name, state, is, was)
			}
			return got.UpgradedState
		}
		golden, err := os.ReadFile(golden(name, schema.Version))
		if err != nil {
			t.Fatal(err)
		}
		state := acctest.JSON(t, p.Value(p.Type(name), compare(schema.Version, golden)))
		if current := []byte(quoted(state)); string(compare(schema.Version, current).JSON) != string(current) {
			t.Errorf("%s: the framework decodes a state of the current schema", name)
		}
		for attribute := range state.(map[string]any) {
			twice := strings.Replace(quoted(state), fmt.Sprintf("%q:", attribute), fmt.Sprintf(`"%[1]s":{"a":1},"%[1]s":`, attribute), 1)
			if resp := upgrade(p, name, schema.Version, []byte(twice)); resp.UpgradedState != nil && resp.UpgradedState.JSON != nil {
				t.Errorf("%s: a state with %s twice, which Terraform rejects, is passed on", name, attribute)
			}
		}
		compare(schema.Version+1, golden)
		for _, text := range []string{"null", "{}", "[]", "1", "", "{"} {
			compare(schema.Version, []byte(text))
		}
		attributes := state.(map[string]any)
		for attribute := range attributes {
			other := maps.Clone(attributes)
			delete(other, attribute)
			compare(schema.Version, []byte(quoted(other)))
			for _, odd := range []any{nil, "text", "1", 1, 1.5, true, []any{}, []any{nil}, []any{"a", 1}, map[string]any{}, map[string]any{"a": "b"}} {
				other[attribute] = odd
				compare(schema.Version, []byte(quoted(other)))
			}
		}
		newer := maps.Clone(attributes)
		newer["of_a_newer_version"] = "text"
		compare(schema.Version, []byte(quoted(newer)))
	}
}

// TestUpgradeResourceState_damaged expects an error that names the object and the
// attribute, and repeats nothing of the state, which may contain a private key.
func TestUpgradeResourceState_damaged(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	const key = "-----BEGIN PRIVATE KEY----- secret"
	for state, want := range map[string][]string{
		`{"id":"cert_1","subject_alternative_names":"` + key + `"}`:               {"(id \"cert_1\")", "subject_alternative_names"},
		`{"id":"cert_1","subject_alternative_names":{"dns_names":"` + key + `"}}`: {"(id \"cert_1\")", "subject_alternative_names"},
		`{"id":"cert_1","key_usages":["` + key + `",{"a":"` + key + `"}]}`:        {"(id \"cert_1\")", "key_usages"},
		`{"id":"` + key + `","key_usages":{}}`:                                    {"(id ", "key_usages"},
		`{"id":["` + key + `"]}`:                                                  {"id"},
		`"` + key + `"`:                                                           {"tunnel_tls_certificate"},
		`{"id":"` + key:                                                           {"tunnel_tls_certificate"},
	} {
		resp, err := p.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{
			TypeName: "tunnel_tls_certificate", RawState: &tfprotov6.RawState{JSON: []byte(state)},
		})
		if err != nil || len(resp.Diagnostics) != 1 {
			t.Fatalf("%s: %v, %v", state, resp, err)
		}
		text := resp.Diagnostics[0].Summary + " " + resp.Diagnostics[0].Detail
		for _, part := range append(want, "Invalid state of a tunnel_tls_certificate", "terraform state rm") {
			if !strings.Contains(text, part) {
				t.Errorf("%s: the error does not contain %q: %s", state, part, text)
			}
		}
		if strings.Contains(text, "secret") {
			t.Errorf("%s: the error repeats the state: %s", state, text)
		}
	}
}
