// Package acctest is what acceptance tests share: a test server for each test,
// the provider in process, and the lifecycle that every kind of object goes
// through.
package acctest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// World is a service of a test's own. What the client sends to it must keep to
// the contract, and so must what it answers.
type World struct {
	*testserver.Server
}

// Start returns a world. The test fails where either side breaks the contract.
func Start(t testing.TB, options ...testserver.Option) *World {
	t.Helper()
	return &World{testserver.Start(t, append([]testserver.Option{testserver.WithStrictRequests()}, options...)...)}
}

// ForEachServer runs a test as two parallel subtests: on a service that decides
// plainly what the contract leaves open, and on one that decides otherwise.
func ForEachServer(t *testing.T, test func(t *testing.T, w *World)) {
	t.Helper()
	t.Parallel()
	t.Run("default", func(t *testing.T) {
		t.Parallel()
		test(t, Start(t))
	})
	t.Run("quirks", func(t *testing.T) {
		t.Parallel()
		test(t, Start(t, testserver.WithQuirks(seed(t.Name()))))
	})
}

// seed is the same for a test each time that it runs.
func seed(name string) uint64 {
	var seed uint64
	for _, b := range []byte(name) {
		seed = seed*131 + uint64(b)
	}
	return seed
}

// Config puts the provider block for this world in front of a configuration.
func (w *World) Config(format string, arguments ...any) string {
	if len(arguments) > 0 {
		format = fmt.Sprintf(format, arguments...)
	}
	return fmt.Sprintf("provider \"tunnel\" {\n  base_url = %q\n  api_key  = %q\n}\n", w.URL, w.AdminKey) + format
}

// ConfigUnchecked is Config without the request that checks address and key, for
// tests that count requests.
func (w *World) ConfigUnchecked(config string) string {
	return strings.Replace(w.Config("%s", config), "provider \"tunnel\" {", "provider \"tunnel\" {\n  skip_credentials_validation = true", 1)
}

// Sent returns how many requests there were since the last ResetStats, apart from
// those that check address and key.
func (w *World) Sent() int {
	stats := w.Stats()
	return stats.Total - stats.Requests["GET /backends/failover"]
}

// Run runs the steps with real Terraform; afterwards nothing that they made is
// left at the service.
func (w *World) Run(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	checkName(t)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: Providers(), Steps: steps})
}

// checkName fails a test that runs Terraform and is not called so.
func checkName(t *testing.T) {
	t.Helper()
	if !strings.HasPrefix(t.Name(), "TestAcc") {
		t.Fatal("a test that runs Terraform must be called TestAcc<Resource>_<case>")
	}
}

// Providers returns the provider in process, for a test case.
func Providers(options ...provider.Option) map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"tunnel": func() (tfprotov6.ProviderServer, error) {
			return provider.Server(provider.New("test", options...)())
		},
	}
}
