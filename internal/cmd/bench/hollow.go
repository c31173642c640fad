package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// hollow serves a provider with this provider's schemas whose operations do
// nothing: responses repeat the values of the request. It measures the cost of
// Terraform and the protocol.
func hollow() int {
	os.Setenv("TF_LOG_SDK", "off")
	os.Setenv("TF_LOG_PROVIDER_TUNNEL", "off")
	debug.SetGCPercent(400)
	server, err := provider.Server(provider.New("hollow")())
	if err == nil {
		err = tf6server.Serve("registry.terraform.io/tunnel-service/tunnel", func() tfprotov6.ProviderServer { return hollowServer{server} })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		return 1
	}
	return 0
}

type hollowServer struct{ tfprotov6.ProviderServer }

func (hollowServer) ValidateResourceConfig(
	context.Context, *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (hollowServer) UpgradeResourceState(
	_ context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
}

func (hollowServer) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, NewIdentity: req.CurrentIdentity, Private: req.Private}, nil
}

func (hollowServer) PlanResourceChange(
	_ context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	return &tfprotov6.PlanResourceChangeResponse{
		PlannedState:    req.ProposedNewState,
		PlannedIdentity: req.PriorIdentity,
		PlannedPrivate:  req.PriorPrivate,
	}, nil
}

func (hollowServer) ApplyResourceChange(
	_ context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return &tfprotov6.ApplyResourceChangeResponse{
		NewState:    req.PlannedState,
		NewIdentity: req.PlannedIdentity,
		Private:     req.PlannedPrivate,
	}, nil
}

func (hollowServer) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}
