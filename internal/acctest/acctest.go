// Package acctest contains the helpers that acceptance tests share: a test server for
// each test, the provider in process, and samples of every kind of object.
package acctest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

// Env is the test server of one test. Requests and responses must comply with
// the API contract.
type Env struct {
	*testserver.Server

	ahead atomic.Int64 // nanoseconds by which the server's clock is ahead
}

// Start starts a Env. The test fails if a request or response violates the contract.
func Start(t testing.TB, options ...testserver.Option) *Env {
	t.Helper()
	w := &Env{}
	clock := testserver.WithClock(func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) })
	w.Server = testserver.Start(t, append([]testserver.Option{testserver.WithStrictRequests(), clock}, options...)...)
	return w
}

// Delete deletes an object out of band, and sets the server's clock a minute
// ahead, because a read of a new object that gets a 404 is repeated. It has no
// effect on a clock of the test's own.
func (w *Env) Delete(path string) {
	w.Server.Delete(path)
	w.Age(time.Minute)
}

// ForceDelete is like Delete, but skips the validation rules.
func (w *Env) ForceDelete(path string) {
	w.Server.ForceDelete(path)
	w.Age(time.Minute)
}

// Age sets the server's clock ahead, which makes its objects older.
func (w *Env) Age(by time.Duration) { w.ahead.Add(int64(by)) }

// ForEachServer runs a test as two parallel subtests: on a server with the
// default behavior, and on a server with other behavior. It is for tests that start
// Terraform once or not at all; TestBehavior_everyKind has the quirks of every kind.
func ForEachServer(t *testing.T, test func(t *testing.T, w *Env)) {
	t.Helper()
	t.Parallel()
	t.Run("default", func(t *testing.T) {
		t.Parallel()
		test(t, Start(t))
	})
	t.Run("other behavior", func(t *testing.T) {
		t.Parallel()
		test(t, Start(t, testserver.WithBehavior(fmt.Sprint("seed=", seed(t.Name())))))
	})
}

// Await waits until a condition is true, and fails the test if that takes longer
// than a minute.
func Await(t testing.TB, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !condition(); time.Sleep(5 * time.Millisecond) { //nolint:forbidigo // polls
		if time.Now().After(deadline) {
			t.Fatal("it does not happen")
		}
	}
}

// seed derives a seed from the name of a test, so that each run of the test
// uses the same seed.
func seed(name string) uint64 {
	var seed uint64
	for _, b := range []byte(name) {
		seed = seed*131 + uint64(b)
	}
	return seed
}

// Resource returns the block of a resource with an address, such as
// tunnel_tls_edge.test. Each argument is a line, such as `name = "a"`.
func Resource(address string, arguments ...string) string {
	kind, name, _ := strings.Cut(address, ".")
	return fmt.Sprintf("resource %q %q {\n  %s\n}\n", kind, name, strings.Join(arguments, "\n  "))
}

// Config returns a configuration with the provider block for this Env in front of it.
func (w *Env) Config(format string, arguments ...any) string {
	if len(arguments) > 0 {
		format = fmt.Sprintf(format, arguments...)
	}
	return fmt.Sprintf("provider \"tunnel\" {\n  base_url = %q\n  api_key  = %q\n}\n", w.URL, w.AdminKey) + format
}

// Sent returns the number of requests since the last ResetStats, except those
// that validate the credentials.
func (w *Env) Sent() int {
	stats := w.Stats()
	return stats.Total - stats.Requests["GET /backends/failover"]
}

// newServer returns the server of a new provider.
func newServer(options ...provider.Option) (tfprotov6.ProviderServer, error) {
	server, err := provider.Server(provider.New("test", options...)())
	if err != nil {
		return nil, err
	}
	return sharedSchema{server.(wholeServer)}, nil //nolint:forcetypeassert // which Terraform asserts as well
}

// sharedSchema is a server that returns the same response with the schemas as all
// others: no option changes it, and making it takes longer than most operations.
type sharedSchema struct{ wholeServer }

type wholeServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

var schemas = sync.OnceValues(func() (*tfprotov6.GetProviderSchemaResponse, error) {
	server, err := provider.Server(provider.New("test")())
	if err != nil {
		return nil, err
	}
	return server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
})

func (sharedSchema) GetProviderSchema(
	context.Context, *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	return schemas()
}
