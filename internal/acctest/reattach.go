package acctest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// ImportsPlanNoChange checks that the configuration that Terraform generates for imported
// objects plans no change. ids maps addresses to import ids.
func (w *Env) ImportsPlanNoChange(t *testing.T, ids map[string]string) {
	t.Helper()
	blocks := func(more string) string {
		var text strings.Builder
		for address, id := range ids {
			fmt.Fprintf(&text, "import {\n  to = %s\n  id = %q\n%s}\n", address, id, more)
		}
		return text.String()
	}
	tf := w.Terraform(t, "")
	// Some versions of Terraform need the provider argument to generate
	// configuration, because they otherwise look for a provider in the
	// hashicorp namespace. No version allows the argument once the resource is
	// configured.
	tf.Write(t, "import.tf", blocks("  provider = tunnel\n"))
	tf.Plan(t, "-generate-config-out=generated.tf")
	tf.Write(t, "import.tf", blocks(""))
	if out := tf.Plan(t, "-out=import.plan"); !strings.Contains(
		out, fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", len(ids)),
	) {
		t.Fatalf("the import changes something:\n%s\n%s", Summary(out), tf.Read(t, "generated.tf"))
	}
	tf.Apply(t, "import.plan")
	tf.ExpectNoChanges(t)
}

// reattach serves the provider from this process and returns how Terraform can
// connect to it.
func reattach(t *testing.T) map[string]any {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan *plugin.ReattachConfig)
	closed := make(chan struct{})
	server, err := newServer()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		err := tf6server.Serve(ProviderAddress(), func() tfprotov6.ProviderServer { return server },
			tf6server.WithDebug(ctx, served, closed), tf6server.WithGoPluginLogger(hclog.NewNullLogger()),
			tf6server.WithLoggingSink(t), tf6server.WithoutLogStderrOverride())
		if err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		stop()
		<-closed
	})
	select {
	case config := <-served:
		return map[string]any{ProviderAddress(): map[string]any{
			"Protocol": config.Protocol, "ProtocolVersion": config.ProtocolVersion, "Pid": config.Pid, "Test": true,
			"Addr": map[string]string{"Network": config.Addr.Network(), "String": config.Addr.String()},
		}}
	case <-time.After(10 * time.Second):
		t.Fatal("the provider does not start")
		return nil
	}
}
