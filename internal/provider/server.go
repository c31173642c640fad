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
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Server returns a provider of New as Terraform speaks to it, over protocol 6.
// Where logs are written, whoever reads them finds the framework's in them.
//
// What nearly all resources are asked nearly always is answered without the
// framework, which would only take values apart and put the same ones together
// again, at most of what a plan costs:
//
//   - the upgrade of a state that is of the current version already;
//   - a read whose object is as the state says;
//   - a plan in which the proposed state is the prior state to the byte, of a type
//     that has neither a rule of its own for plans nor defaults.
//
// Everything else is the framework's, and so is all of a provider that may defer
// plans.
func Server(p provider.Provider, logs bool) (tfprotov6.ProviderServer, error) {
	server, err := providerserver.NewProtocol6WithError(p)()
	if err != nil {
		return nil, err
	}
	whole, ok := server.(protocol)
	if !ok {
		return nil, fmt.Errorf("the framework's server is %T, which does not speak all of the protocol", server)
	}
	own, ok := p.(*tunnel)
	if !ok {
		return nil, fmt.Errorf("%T is no provider of New", p)
	}
	return &quick{protocol: whole, provider: own, logs: logs, types: quickTypes(own)}, nil
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
	provider  *tunnel
	logs      bool
	deferring atomic.Bool // whether plans may be deferred, which the framework decides
	types     map[string]quickType
}

// A quickType is what there is to know of a resource type.
type quickType struct {
	state   tftypes.Type
	version int64
	plain   bool // whether its plan is the proposal where that is the prior state
	ahead   aheadReader
}

type aheadReader interface {
	ReadAhead(ctx context.Context, provider *crud.Provider, state tftypes.Value, private []byte) (identity tftypes.Value, same bool, rest context.Context)
}

func quickTypes(p provider.Provider) map[string]quickType {
	types := map[string]quickType{}
	ctx := context.Background()
	for _, make := range p.Resources(ctx) {
		r := make()
		var name resource.MetadataResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: typeName}, &name)
		var schema resource.SchemaResponse
		r.Schema(ctx, resource.SchemaRequest{}, &schema)
		own := quickType{state: schema.Schema.Type().TerraformType(ctx), version: schema.Schema.Version}
		if by, ok := r.(interface{ PlansNothingByItself() bool }); ok {
			own.plain = by.PlansNothingByItself()
		}
		own.ahead, _ = r.(aheadReader)
		types[name.TypeName] = own
	}
	return types
}

// ConfigureProvider notes whether plans may be deferred.
func (s *quick) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	s.deferring.Store(req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed)
	return s.protocol.ConfigureProvider(ctx, req)
}

// PlanResourceChange answers a plan without a change by itself.
func (s *quick) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if !s.types[req.TypeName].plain || !unchanged(req) || s.deferring.Load() {
		ctx, end := s.pass(ctx)
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

// ReadResource answers a read that finds nothing new by itself.
func (s *quick) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	ctx, end := s.pass(ctx)
	defer end()
	if !s.deferring.Load() {
		var same *tfprotov6.ReadResourceResponse
		if same, ctx = s.readAhead(ctx, req); same != nil {
			return same, nil
		}
	}
	return s.protocol.ReadResource(ctx, req)
}

// readAhead returns the answer to a read that finds nothing new; else nil, and
// the context for the framework's read.
func (s *quick) readAhead(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, context.Context) {
	of := s.types[req.TypeName]
	if of.ahead == nil || req.CurrentState == nil {
		return nil, ctx
	}
	state, err := req.CurrentState.Unmarshal(of.state)
	if err != nil {
		return nil, ctx
	}
	keys, same, ctx := of.ahead.ReadAhead(ctx, s.provider.configured.Load(), state, req.Private)
	if !same {
		return nil, ctx
	}
	identity, err := tfprotov6.NewDynamicValue(keys.Type(), keys)
	if err != nil || !isOrNothing(req.CurrentIdentity, identity) {
		return nil, ctx
	}
	return &tfprotov6.ReadResourceResponse{
		NewState: req.CurrentState, Private: req.Private, NewIdentity: &tfprotov6.ResourceIdentityData{IdentityData: &identity},
	}, ctx
}

// isOrNothing tells whether an identity that Terraform knows is this one, if it
// knows any.
func isOrNothing(known *tfprotov6.ResourceIdentityData, identity tfprotov6.DynamicValue) bool {
	return known == nil || known.IdentityData == nil || bytes.Equal(known.IdentityData.MsgPack, null) ||
		bytes.Equal(known.IdentityData.MsgPack, identity.MsgPack)
}

// ValidateResourceConfig checks a configuration.
func (s *quick) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	ctx, end := s.pass(ctx)
	defer end()
	return s.protocol.ValidateResourceConfig(ctx, req)
}

// UpgradeResourceState returns a state as it is where it is of the current
// version and has exactly the attributes of the schema.
func (s *quick) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	of, known := s.types[req.TypeName]
	if known && req.Version == of.version && req.RawState != nil && fits(req.RawState.JSON, of.state) {
		return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
	}
	ctx, end := s.pass(ctx)
	defer end()
	return s.protocol.UpgradeResourceState(ctx, req)
}

// pass returns the context of an RPC for the framework.
func (s *quick) pass(ctx context.Context) (passed context.Context, end context.CancelFunc) {
	if s.logs {
		return ctx, func() {}
	}
	return passing(ctx)
}

var null = []byte{0xc0} // in MessagePack

func unchanged(req *tfprotov6.PlanResourceChangeRequest) bool {
	prior, proposed := req.PriorState, req.ProposedNewState
	return prior != nil && proposed != nil && len(prior.MsgPack) > 0 &&
		bytes.Equal(prior.MsgPack, proposed.MsgPack) && !bytes.Equal(prior.MsgPack, null)
}
