package protocol

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// guard is what Terraform calls. It keeps a promise: nothing that a stranger
// wrote, such as a message of the service or a name in a certificate, controls
// the terminal or the CI runner that shows a text of this provider. Foreign text
// is escaped where it is inserted, with quote.Foreign. guard makes sure that none
// was forgotten: every diagnostic goes through it.
type guard struct{ wholeServer }

// shown makes a response and an error, which Terraform shows as well, safe to
// show.
func shown[R any](diagnostics func(*R) []*tfprotov6.Diagnostic) func(*R, error) (*R, error) {
	return func(resp *R, err error) (*R, error) {
		if resp != nil {
			makePrintable(diagnostics(resp))
		}
		return resp, printableError(err)
	}
}

// makePrintable makes diagnostics safe to show.
func makePrintable(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		d.Summary, d.Detail = quote.Line(d.Summary), quote.Lines(d.Detail)
	}
}

// printableError is an error, which Terraform shows as well, that is safe to
// show.
func printableError(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(quote.Lines(err.Error()))
}

func (g guard) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return shown(func(r *tfprotov6.ValidateProviderConfigResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.ValidateProviderConfig(ctx, req))
}

func (g guard) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return shown(func(r *tfprotov6.ConfigureProviderResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.ConfigureProvider(ctx, req))
}

func (g guard) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return shown(func(r *tfprotov6.ValidateResourceConfigResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.ValidateResourceConfig(ctx, req))
}

func (g guard) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return shown(func(r *tfprotov6.UpgradeResourceStateResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.UpgradeResourceState(ctx, req))
}

func (g guard) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return shown(func(r *tfprotov6.UpgradeResourceIdentityResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.UpgradeResourceIdentity(ctx, req))
}

func (g guard) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return shown(func(r *tfprotov6.ReadResourceResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.ReadResource(ctx, req))
}

func (g guard) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return shown(func(r *tfprotov6.PlanResourceChangeResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.PlanResourceChange(ctx, req))
}

func (g guard) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return shown(func(r *tfprotov6.ApplyResourceChangeResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.ApplyResourceChange(ctx, req))
}

func (g guard) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return shown(func(r *tfprotov6.ImportResourceStateResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.ImportResourceState(ctx, req))
}

func (g guard) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return shown(func(r *tfprotov6.MoveResourceStateResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.MoveResourceState(ctx, req))
}

func (g guard) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return shown(func(r *tfprotov6.GenerateResourceConfigResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.GenerateResourceConfig(ctx, req))
}

func (g guard) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return shown(func(r *tfprotov6.ValidateDataResourceConfigResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.ValidateDataResourceConfig(ctx, req))
}

func (g guard) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return shown(func(r *tfprotov6.ReadDataSourceResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.ReadDataSource(ctx, req))
}

func (g guard) ValidateListResourceConfig(ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	return shown(func(r *tfprotov6.ValidateListResourceConfigResponse) []*tfprotov6.Diagnostic { return r.Diagnostics })(g.wholeServer.ValidateListResourceConfig(ctx, req))
}

// CallFunction makes the error of a function safe to show.
func (g guard) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	resp, err := g.wholeServer.CallFunction(ctx, req)
	if resp != nil && resp.Error != nil {
		resp.Error.Text = quote.Lines(resp.Error.Text)
	}
	return resp, printableError(err)
}

// ListResource makes the names of objects, and the diagnostics, safe to show.
func (g guard) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := g.wholeServer.ListResource(ctx, req)
	if stream != nil && stream.Results != nil {
		results := stream.Results
		stream.Results = func(push func(tfprotov6.ListResourceResult) bool) {
			for result := range results {
				result.DisplayName = quote.Line(result.DisplayName)
				makePrintable(result.Diagnostics)
				if !push(result) {
					return
				}
			}
		}
	}
	return stream, printableError(err)
}
