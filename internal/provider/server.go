package provider

import (
	"bytes"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Server returns a provider of New as Terraform speaks to it, over protocol 6.
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
// Everything else is the framework's, and all is where logs are wanted, since they
// tell of each step that it takes.
func Server(p provider.Provider, logs bool) (tfprotov6.ProviderServer, error) {
	server, err := providerserver.NewProtocol6WithError(p)()
	if err != nil || logs {
		return server, err
	}
	whole, ok := server.(protocol)
	if !ok {
		return nil, fmt.Errorf("the framework's server is %T, which does not speak all of the protocol", server)
	}
	own, ok := p.(*tunnel)
	if !ok {
		return nil, fmt.Errorf("%T is no provider of New", p)
	}
	return &quick{protocol: whole, provider: own, types: quickTypes(own)}, nil
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
	provider *tunnel
	types    map[string]quickType
}

// A quickType is what there is to know of a resource type.
type quickType struct {
	state   tftypes.Type
	version int64
	plain   bool // whether its plan is the proposal where that is the prior state
	reader  reader
}

type reader interface {
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
		own.reader, _ = r.(reader)
		types[name.TypeName] = own
	}
	return types
}

// PlanResourceChange answers a plan without a change by itself, unless it may
// have to be deferred, since the provider is not known as a whole.
func (s *quick) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	if !s.types[req.TypeName].plain || !unchanged(req) || s.provider.configured.Load() == nil {
		ctx, end := passing(ctx)
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
	ctx, end := passing(ctx)
	defer end()
	same, ctx := s.readAhead(ctx, req)
	if same != nil {
		return same, nil
	}
	return s.protocol.ReadResource(ctx, req)
}

// readAhead returns the answer to a read that finds nothing new; else nil, and
// the context for the framework's read.
func (s *quick) readAhead(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, context.Context) {
	of, ready := s.types[req.TypeName], s.provider.configured.Load()
	if of.reader == nil || ready == nil || req.CurrentState == nil {
		return nil, ctx
	}
	state, err := req.CurrentState.Unmarshal(of.state)
	if err != nil {
		return nil, ctx
	}
	keys, same, ctx := of.reader.ReadAhead(ctx, ready, state, req.Private)
	if !same {
		return nil, ctx
	}
	identity, err := tfprotov6.NewDynamicValue(keys.Type(), keys)
	if err != nil || !sameOrUnknown(req.CurrentIdentity, identity) {
		return nil, ctx
	}
	return &tfprotov6.ReadResourceResponse{
		NewState: req.CurrentState, Private: req.Private, NewIdentity: &tfprotov6.ResourceIdentityData{IdentityData: &identity},
	}, ctx
}

// sameOrUnknown tells whether the identity that Terraform knows, if it knows any,
// is this one.
func sameOrUnknown(known *tfprotov6.ResourceIdentityData, identity tfprotov6.DynamicValue) bool {
	return known == nil || known.IdentityData != nil &&
		(bytes.Equal(known.IdentityData.MsgPack, null) || bytes.Equal(known.IdentityData.MsgPack, identity.MsgPack))
}

// ValidateResourceConfig checks a configuration.
func (s *quick) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	ctx, end := passing(ctx)
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
	ctx, end := passing(ctx)
	defer end()
	return s.protocol.UpgradeResourceState(ctx, req)
}

var null = []byte{0xc0} // in MessagePack

func unchanged(req *tfprotov6.PlanResourceChangeRequest) bool {
	prior, proposed := req.PriorState, req.ProposedNewState
	return prior != nil && proposed != nil && len(prior.MsgPack) > 0 &&
		bytes.Equal(prior.MsgPack, proposed.MsgPack) && !bytes.Equal(prior.MsgPack, null)
}
