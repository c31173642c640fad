package provider_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

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
			list, err := json.Marshal(keys)
			if err != nil {
				t.Fatal(err)
			}
			config := w.Config("locals { keys = jsondecode(<<-EOT\n%s\nEOT\n) }\n", list) + `
				resource "tunnel_ssh_credential" "test" {
				  count      = 100
				  public_key = local.keys[count.index]
				}`
			single := strings.Replace(config, "provider \"tunnel\" {", "provider \"tunnel\" {\n  bulk_reads = false\n  max_retries = 0", 1)
			w.Run(t,
				resource.TestStep{Config: single},
				resource.TestStep{Config: config, PlanOnly: true},
			)
			if refused := w.Stats().Statuses[429]; refused == 0 {
				t.Error("the limit was never reached: the test shows nothing")
			}
		})
	}
}
