package crud_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// Terraform supports identity since 1.12. These tests do not need Terraform.

func TestIdentity_readAddsMissingIdentity(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	id := w.Create("/backends/tunnel_group", `{"labels": {"a": "b"}}`)
	state, _ := p.Import("tunnel_group_backend", id, nil)
	if _, identity := p.Read("tunnel_group_backend", state, nil); identity["id"] != id {
		t.Errorf("identity %v", identity)
	}
}

func TestIdentity_malformedKeyIsNamed(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := w.Protocol(t)
	for _, kind := range acctest.Kinds {
		for _, key := range kind.Keys() {
			for bad, want := range map[string]string{"": "is empty", "a b": "contains whitespace", "a/b": "contains a slash", "a\n": "contains whitespace", "a\u00a0": "contains whitespace"} {
				keys := kind.ExampleKeys()
				keys[key] = bad
				resp, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: kind.Type, Identity: p.Identity(kind.Type, keys)})
				if err != nil {
					t.Fatal(err)
				}
				acctest.Expect(t, resp.Diagnostics, tfprotov6.DiagnosticSeverityError, acctest.At(key), "Invalid import identity", key+" "+want)
			}
			keys := kind.ExampleKeys()
			delete(keys, key) // null
			resp, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: kind.Type, Identity: p.Identity(kind.Type, keys)})
			if err != nil {
				t.Fatal(err)
			}
			acctest.Expect(t, resp.Diagnostics, tfprotov6.DiagnosticSeverityError, acctest.At(key), "is empty")
		}
	}
	if total := w.Sent(); total != 0 {
		t.Errorf("%d requests were sent", total)
	}
}

// A data source checks its keys before it reads: an ID that is empty, and the form of a
// key that is no ID.
func TestDataSource_keysAreChecked(t *testing.T) {
	t.Parallel()
	const name = "tunnel_event_source"
	p := acctest.NewProtocol(t)
	for want, keys := range map[string][2]string{
		"subscription_id must be a value such as esb_2abc":   {"", "ip_policy_created.v0"},
		`type must end with the version of the event type`:   {"esb_1", "ip_policy_created"},
		`Did you mean "ip_policy_created.v0"?`:               {"esb_1", "ip_policy_created"},
		"type must be an event type with its version, such ": {"esb_1", ""},
	} {
		resp, err := p.ValidateDataResourceConfig(t.Context(), &tfprotov6.ValidateDataResourceConfigRequest{
			TypeName: name, Config: p.Dynamic(acctest.Object(p.Schema.DataSourceSchemas[name].ValueType(), map[string]tftypes.Value{
				"subscription_id": acctest.Text(keys[0]), "type": acctest.Text(keys[1]),
			})),
		})
		if err != nil || len(resp.Diagnostics) != 1 || !strings.Contains(resp.Diagnostics[0].Detail, want) {
			t.Errorf("%q: %v, %s", keys, err, texts(resp.Diagnostics))
		}
	}
}
