package provider

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Server returns a provider as Terraform speaks to it, over protocol 6.
//
// A plan for a resource in which nothing changes, which is what nearly all plans
// are for nearly all resources, is answered without the framework: where the
// proposed state is the prior state to the byte, and the type has neither a rule
// of its own for plans nor defaults, and may not defer the plan, the framework would only take both apart and put the same state
// together again, at half of what the provider costs in a plan.
func Server(p provider.Provider) (tfprotov6.ProviderServer, error) {
	server, err := providerserver.NewProtocol6WithError(p)()
	if err != nil {
		return nil, err
	}
	whole, ok := server.(protocol)
	if !ok {
		return nil, fmt.Errorf("the framework's server is %T, which does not speak all of the protocol", server)
	}
	return &quick{protocol: whole, plain: plainTypes(p)}, nil
}

// protocol is all that the framework's server speaks. What the first interface
// lacks is found by type assertion, so a wrapper must carry it too.
type protocol interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

type quick struct {
	protocol
	deferring atomic.Bool     // whether plans may be deferred, which the framework decides
	plain     map[string]bool // types whose plan is the proposal where that is the prior state
}

// ConfigureProvider notes whether plans may be deferred.
func (s *quick) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	s.deferring.Store(req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed)
	return s.protocol.ConfigureProvider(ctx, req)
}

// PlanResourceChange answers a plan without a change by itself.
func (s *quick) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if !s.plain[req.TypeName] || !unchanged(req) || s.deferring.Load() {
		ctx, end := pass(ctx)
		defer end()
		return s.protocol.PlanResourceChange(ctx, req)
	}
	identity := req.PriorIdentity
	if identity == nil {
		identity = &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: null}}
	}
	return &tfprotov6.PlanResourceChangeResponse{
		PlannedState:    req.ProposedNewState,
		PlannedPrivate:  req.PriorPrivate,
		PlannedIdentity: identity,
	}, nil
}

// ReadResource reads a resource.
func (s *quick) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	ctx, end := pass(ctx)
	defer end()
	return s.protocol.ReadResource(ctx, req)
}

// ValidateResourceConfig checks a configuration.
func (s *quick) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	ctx, end := pass(ctx)
	defer end()
	return s.protocol.ValidateResourceConfig(ctx, req)
}

// UpgradeResourceState reads a state.
func (s *quick) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	ctx, end := pass(ctx)
	defer end()
	return s.protocol.UpgradeResourceState(ctx, req)
}

var null = []byte{0xc0} // in MessagePack

func unchanged(req *tfprotov6.PlanResourceChangeRequest) bool {
	prior, proposed := req.PriorState, req.ProposedNewState
	return prior != nil && proposed != nil && len(prior.MsgPack) > 0 &&
		bytes.Equal(prior.MsgPack, proposed.MsgPack) && !bytes.Equal(prior.MsgPack, null)
}

// plainTypes returns the resource types that change nothing in such a plan.
func plainTypes(p provider.Provider) map[string]bool {
	plain := map[string]bool{}
	for _, make := range p.Resources(context.Background()) {
		r := make()
		var name resource.MetadataResponse
		r.Metadata(context.Background(), resource.MetadataRequest{ProviderTypeName: typeName}, &name)
		if by, ok := r.(interface{ PlansNothingByItself() bool }); ok && by.PlansNothingByItself() {
			plain[name.TypeName] = true
		}
	}
	return plain
}
