package crud

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// base is the common part of the resource, the data sources and the list
// resource of a kind.
type base struct {
	kind     *Definition
	provider *Provider
}

// compare orders objects by time of creation, and then by import id.
func (s *base) compare(a, b any) int {
	return cmp.Or(createdAt(a).Compare(createdAt(b)), cmp.Compare(s.importID(a), s.importID(b)))
}

// ClientFor returns the API client. If there is none, it returns nil and adds an error.
// Only the first error of a run says why.
func (p *Provider) ClientFor(kind *api.Kind, diags *diag.Diagnostics) *api.Client {
	summary, detail := "Provider not configured yet",
		"The provider configuration depends on a value that is known only after apply, but it is needed now for "+WithArticle(kind.Noun)+". "+
			"First apply the resource that produces the value (terraform apply -target=ADDRESS), or use only known values in the provider block. "+
			"The environment can have the address and the API key instead: TUNNEL_BASE_URL and TUNNEL_API_KEY."
	switch {
	case p == nil:
	case p.Client != nil:
		return p.Client
	case p.Missing != "":
		summary, detail = "Missing provider configuration", p.Missing
	}
	if p != nil && p.run.reported.Swap(true) {
		detail = "Another error says why."
	}
	diags.AddError(summary, detail)
	return nil
}

func (s *base) client(diags *diag.Diagnostics) *api.Client {
	return s.provider.ClientFor(s.kind.Kind, diags)
}

// clientOnce is client for the reads of resources: only the first read without
// a client adds the error, because one error fails the whole plan. The other
// reads keep their state, with a warning, of which Terraform shows one.
func (s *base) clientOnce(diags *diag.Diagnostics) *api.Client {
	if s.provider != nil && s.provider.Client == nil && s.provider.run.reported.Load() {
		diags.AddWarning("Object not refreshed", "The provider has no configuration: another error says what is missing.")
		return nil
	}
	return s.client(diags)
}

// warnOfMissing adds one warning to a plan whose apply fails because the
// provider has no configuration. Only reads report that as an error, and a plan
// that only creates objects has none.
func (s *base) warnOfMissing(diags *diag.Diagnostics) {
	p := s.provider
	if p != nil && p.Client == nil && p.Missing != "" && !p.run.reported.Load() && !p.run.warned.Swap(true) {
		diags.AddWarning("Missing provider configuration", "This plan does not need the service, but its apply does. "+p.Missing)
	}
}

// Limit returns a context that ends after the operation timeout.
func (p *Provider) Limit(ctx context.Context) (context.Context, context.CancelFunc) {
	timeout := p.OperationTimeout
	return context.WithTimeoutCause(ctx, timeout, fmt.Errorf("the operation did not finish within %s (operation_timeout)", timeout))
}
