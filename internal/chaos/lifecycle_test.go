package chaos

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// TestAccReplace_naturalKeyCreatedBeforeDestroyed checks the error of
// create_before_destroy for objects with a natural key, which cannot exist twice.
func TestAccReplace_naturalKeyCreatedBeforeDestroyed(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	var config strings.Builder
	for address, arguments := range map[string]string{
		"tunnel_ssh_credential.r":  fmt.Sprintf("public_key = %q", testcert.PublicKey(t, "")),
		"tunnel_tls_edge_policy.r": fmt.Sprintf("edge_id = %q", w.Create("/edges/tls", "{}")),
	} {
		config.WriteString(acctest.Resource(address, arguments, "lifecycle {\n    create_before_destroy = true\n  }"))
	}
	tf := newTerraform(t, w.URL, w.AdminKey, config.String())
	tf.Apply(t)
	failures, err := tf.apply("-replace=tunnel_ssh_credential.r", "-replace=tunnel_tls_edge_policy.r")
	if err == nil || len(failures) != 2 {
		t.Fatalf("%v: %+v", err, failures)
	}
	for _, f := range failures {
		if !acctest.InError("already exists", "create_before_destroy: remove this setting").MatchString(f.Summary + " " + f.Detail) {
			t.Errorf("%+v", f)
		}
	}
	tf.ExpectNoChanges(t)
}

// TestCreate_sameModuleTwice manages one module with two resources of one
// configuration. One of them fails.
func TestCreate_sameModuleTwice(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	config := map[string]resourceConfig{}
	for _, address := range []string{"a", "b"} {
		config[address] = resourceConfig{Type: "tunnel_tls_edge_backend", Arguments: map[string]tftypes.Value{
			"edge_id": acctest.Text(w.Parents.TLSEdge), "backend_id": acctest.Text(w.Create("/backends/http_response", "{}")),
		}}
	}
	errors := newSimulator(t, w, nil).Apply(config)
	if len(errors) != 1 || !strings.Contains(errors["b"], "Another resource in this run creates the TLS edge backend") {
		t.Errorf("got %q", errors)
	}
}
