package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// TestAccRateLimit_slowsButSucceeds applies and refreshes several times as many
// objects as the service accepts requests in its window.
func TestAccRateLimit_slowsButSucceeds(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]testserver.Option{
		"plain":          testserver.WithBehavior("rate_limit=40/2s"),
		"other behavior": testserver.WithBehavior("rate_limit=40/2s", "seed=5", "no_retry_after"),
		"at once":        testserver.WithBehavior("max_concurrent=3", "delay=20ms"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.Start(t, option)
			keys := make([]string, 100)
			for i := range keys {
				keys[i] = testcert.PublicKey(t, "")
			}
			tf := w.Terraform(t, fmt.Sprintf("resource \"tunnel_ssh_credential\" \"test\" {\n  for_each   = toset(%s)\n  public_key = each.value\n}\n", quoted(keys)))
			config := tf.Read(t, "main.tf")
			tf.Write(t, "main.tf", strings.Replace(config, "provider \"tunnel\" {", "provider \"tunnel\" {\n  bulk_reads = false\n  max_retries = 0", 1))
			tf.Apply(t)
			tf.Write(t, "main.tf", config)
			tf.ExpectNoChanges(t)
			if refused := w.Stats().Statuses[429]; refused == 0 && name == "at once" {
				t.Error("the limit was never reached: the test shows nothing")
			} else if refused == 0 {
				t.Skip("this machine is too slow to reach the limit")
			}
		})
	}
}
