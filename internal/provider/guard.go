package provider

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
type guard struct{ protocol }

// printable makes diagnostics safe to show.
func printable(diags []*tfprotov6.Diagnostic) {
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

// ValidateProviderConfig makes the diagnostics of the server safe to show.
func (g guard) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := g.protocol.ValidateProviderConfig(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// ConfigureProvider makes the diagnostics of the server safe to show.
func (g guard) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := g.protocol.ConfigureProvider(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// ValidateResourceConfig makes the diagnostics of the server safe to show.
func (g guard) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := g.protocol.ValidateResourceConfig(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// UpgradeResourceState makes the diagnostics of the server safe to show.
func (g guard) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resp, err := g.protocol.UpgradeResourceState(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// UpgradeResourceIdentity makes the diagnostics of the server safe to show.
func (g guard) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	resp, err := g.protocol.UpgradeResourceIdentity(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// ReadResource makes the diagnostics of the server safe to show.
func (g guard) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := g.protocol.ReadResource(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// PlanResourceChange makes the diagnostics of the server safe to show.
func (g guard) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := g.protocol.PlanResourceChange(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// ApplyResourceChange makes the diagnostics of the server safe to show.
func (g guard) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := g.protocol.ApplyResourceChange(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// ImportResourceState makes the diagnostics of the server safe to show.
func (g guard) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := g.protocol.ImportResourceState(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// MoveResourceState makes the diagnostics of the server safe to show.
func (g guard) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	resp, err := g.protocol.MoveResourceState(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// GenerateResourceConfig makes the diagnostics of the server safe to show.
func (g guard) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	resp, err := g.protocol.GenerateResourceConfig(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// ValidateDataResourceConfig makes the diagnostics of the server safe to show.
func (g guard) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	resp, err := g.protocol.ValidateDataResourceConfig(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// ReadDataSource makes the diagnostics of the server safe to show.
func (g guard) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := g.protocol.ReadDataSource(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// ValidateListResourceConfig makes the diagnostics of the server safe to show.
func (g guard) ValidateListResourceConfig(ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	resp, err := g.protocol.ValidateListResourceConfig(ctx, req)
	if resp != nil {
		printable(resp.Diagnostics)
	}
	return resp, printableError(err)
}

// CallFunction makes the error of a function safe to show.
func (g guard) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	resp, err := g.protocol.CallFunction(ctx, req)
	if resp != nil && resp.Error != nil {
		resp.Error.Text = quote.Lines(resp.Error.Text)
	}
	return resp, printableError(err)
}

// ListResource makes the names of objects, and the diagnostics, safe to show.
func (g guard) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := g.protocol.ListResource(ctx, req)
	if stream != nil && stream.Results != nil {
		results := stream.Results
		stream.Results = func(push func(tfprotov6.ListResourceResult) bool) {
			for result := range results {
				result.DisplayName = quote.Line(result.DisplayName)
				printable(result.Diagnostics)
				if !push(result) {
					return
				}
			}
		}
	}
	return stream, printableError(err)
}
