package crud

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// defaultTimeout is how long an operation may take, waits for a rate limit
// included, where nothing else is said. The descriptions of timeouts name it.
const defaultTimeout = 20 * time.Minute

var errTooLong = errors.New("not done within " + defaultTimeout.String())

// service is how all that Terraform can do with a kind reaches the service, and
// how it says that it did not.
type service[M, D, T any] struct {
	kind     *Kind[M, D, T]
	provider *Provider
}

// fill writes the service's object into a model.
func (s *service[M, D, T]) fill(object *T, model *M) {
	s.kind.Fill(object, s.kind.Data(model))
	if s.kind.Observe != nil {
		s.kind.Observe(s.provider, model)
	}
}

// client returns the client, or says why there is none yet.
func (s *service[M, D, T]) client(diags *diag.Diagnostics) *api.Client {
	if s.provider == nil || s.provider.Client == nil {
		diags.AddError("Provider not configured yet",
			"The service must be asked for the "+s.kind.Noun+", but the provider block depends on a value that is known only after apply. "+
				"Apply what that value comes from first (terraform apply -target=…), or give base_url and api_key as values that are known, "+
				"for instance in the environment as TUNNEL_BASE_URL and TUNNEL_API_KEY.")
		return nil
	}
	return s.provider.Client
}

func (s *service[M, D, T]) deadline(ctx context.Context, operation string, limit time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, limit,
		errors.New("not done within "+limit.String()+" (timeouts."+operation+")"))
}
