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
)

// Server returns a provider of New as Terraform speaks to it, over protocol 6. It
// is the framework's server, with these exceptions.
//
// A plan whose proposal is the prior state to the byte, of a resource type whose
// plan is then always the prior state (see crud's PlansNoChange), is answered
// without the framework. Nearly all calls of a plan are such, and the framework
// would take the state apart to put it together again.
//
// The validators of attributes that the service answers run when a plan creates an
// object or changes the attribute. A number with a fraction is reported in words for
// users (see validate.go).
//
// Generated configuration leaves out what the service would choose anyway (see
// generate.go).
func Server(p provider.Provider) (tfprotov6.ProviderServer, error) {
	framework, err := providerserver.NewProtocol6WithError(p)()
	if err != nil {
		return nil, err
	}
	whole, ok := framework.(protocol)
	if !ok {
		return nil, fmt.Errorf("the framework's server is %T, which does not implement the whole protocol", framework)
	}
	own, ok := p.(*tunnel)
	if !ok {
		return nil, fmt.Errorf("%T is not a provider of New", p)
	}
	var block provider.SchemaResponse
	own.Schema(context.Background(), provider.SchemaRequest{}, &block)
	return &server{protocol: whole, provider: own, resources: resources(), providerType: block.Schema.Type().TerraformType(context.Background())}, nil
}

// protocol is everything that the framework's server speaks. Terraform finds the
// optional parts by type assertion, so a wrapper must have them too.
type protocol interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

type server struct {
	protocol
	provider  *tunnel
	resources map[string]described // by resource type
	// providerType is the type of the provider block.
	providerType tftypes.Type
}

// described is what the server must know of a resource type.
type described interface {
	PlansNoChange() bool
	Answers(attribute string) bool
	NothingToValidate() bool
	StateType(context.Context) tftypes.Type
	Generated(context.Context, tftypes.Value) (tftypes.Value, error)
}

func resources() map[string]described {
	types := map[string]described{}
	ctx := context.Background()
	for _, kind := range kinds {
		r := kind.Resource()()
		var name resource.MetadataResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: typeName}, &name)
		if d, ok := r.(described); ok {
			types[name.TypeName] = d
		}
	}
	return types
}

// PlanResourceChange answers a plan without a change, unless the plan may have to
// be deferred because the provider's configuration is not known.
func (s *server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	r, known := s.resources[req.TypeName]
	if !known || !r.PlansNoChange() || !unchanged(req) || !s.provider.configured.Load() {
		ctx, end := released(ctx)
		defer end()
		resp, err := s.protocol.PlanResourceChange(ctx, req)
		if err == nil && known {
			err = s.validateChanges(ctx, r, req, resp)
		}
		return resp, err
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

// ReadResource reads an object.
func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	ctx, end := released(ctx)
	defer end()
	return s.protocol.ReadResource(ctx, req)
}

// UpgradeResourceState reads a stored state.
func (s *server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	ctx, end := released(ctx)
	defer end()
	return s.protocol.UpgradeResourceState(ctx, req)
}

var null = []byte{0xc0} // in MessagePack

func unchanged(req *tfprotov6.PlanResourceChangeRequest) bool {
	prior, proposed := req.PriorState, req.ProposedNewState
	return prior != nil && proposed != nil && len(prior.MsgPack) > 0 &&
		bytes.Equal(prior.MsgPack, proposed.MsgPack) && !bytes.Equal(prior.MsgPack, null)
}
