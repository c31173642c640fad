// Package protocol is the protocol 6 server around the framework's: plans and
// reads without a change, validation while planning, diagnostics that are safe to
// show at lines that Terraform finds, generated configuration, and the end of all
// calls when Terraform stops the provider. It may use crud, attribute and quote. It
// knows no kind of object: what it needs to know of one is a Resource.
package protocol

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Server returns the protocol 6 server of a provider. configuration returns what
// its Configure created, or nil if it has no client. It is the framework's
// server, with these exceptions:
//
// A plan is returned without the framework if it would be the prior state (see
// PlansNoChange in package crud). This applies to nearly all calls of a plan,
// and avoids that the framework decodes and encodes the state.
//
// A state is returned without the framework if a list page shows that the
// object did not change (see ReadsNoChange in package crud).
//
// A stored state is returned without the framework if it has the form of the
// current schema (see state.go).
//
// A configuration is validated once: by terraform validate, or by a plan that is
// not the prior state. Validators of limits that the API contract does not state
// run when a plan creates an object or changes attributes (see validate.go).
//
// Generated configuration omits the values that the service would choose anyway
// (see generate.go).
func Server(p provider.Provider, configuration func() *crud.Provider) (tfprotov6.ProviderServer, error) {
	framework, err := providerserver.NewProtocol6WithError(p)()
	if err != nil {
		return nil, err
	}
	whole, ok := framework.(wholeServer)
	if !ok {
		return nil, fmt.Errorf("the framework's server is %T, which does not implement the whole protocol", framework)
	}
	ctx := context.Background()
	var block provider.SchemaResponse
	p.Schema(ctx, provider.SchemaRequest{}, &block)
	s := &server{
		wholeServer: whole, configuration: configuration, resources: Resources(p), providerType: block.Schema.Type().TerraformType(ctx),
		isSecret: func(attribute string) bool {
			of, ok := block.Schema.Attributes[attribute]
			return ok && of.IsSensitive()
		},
	}
	return s, nil
}

// wholeServer is everything that the framework's server implements. Terraform
// finds the optional parts by type assertion, so a wrapper must implement them
// too.
type wholeServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

type server struct {
	wholeServer
	configuration func() *crud.Provider
	resources     map[string]Resource // by resource type
	// providerType is the type of the provider block, and isSecret reports whether
	// Terraform must not print the lines of one of its arguments.
	providerType tftypes.Type
	isSecret     func(attribute string) bool
	// stopped reports that Terraform has stopped the run.
	stopped atomic.Bool
}

// A Resource is what the server needs to know about a resource type.
type Resource interface {
	PlansNoChange(provider *crud.Provider, prior, proposed, config []byte) bool
	ReadsNoChange(ctx context.Context, provider *crud.Provider, current tftypes.Value) (identity tftypes.Value, ok bool)
	IsSecret(attribute string) bool
	RenewState(attributes map[string]any) (changed bool)
	StateType(context.Context) tftypes.Type
	StateVersion() int64
	Generated(context.Context, tftypes.Value) (tftypes.Value, error)
}

// Resources returns the resources of a provider by type. It panics for one that
// lacks a method of Resource.
func Resources(p provider.Provider) map[string]Resource {
	ctx := context.Background()
	var named provider.MetadataResponse
	p.Metadata(ctx, provider.MetadataRequest{}, &named)
	types := map[string]Resource{}
	for _, create := range p.Resources(ctx) {
		r := create()
		var name resource.MetadataResponse
		r.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: named.TypeName}, &name)
		types[name.TypeName] = r.(Resource) // the panic names the type and what it lacks
	}
	return types
}

// PlanResourceChange returns a plan without a change itself. Otherwise it
// validates the configuration, and calls the framework. It does the latter too if
// the provider has no client, because the plan may have to be deferred.
func (s *server) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	r, known := s.resources[req.TypeName]
	if !known {
		return s.wholeServer.PlanResourceChange(ctx, req)
	}
	unchanged := s.plansNoChange(r, req)
	var invalid []*tfprotov6.Diagnostic
	if !unchanged {
		var err error
		if invalid, err = s.validateInPlan(ctx, r, req); err != nil {
			return nil, err
		}
	}
	if unchanged || hasError(invalid) {
		identity := req.PriorIdentity
		if identity == nil {
			identity = &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: null}}
		}
		return &tfprotov6.PlanResourceChangeResponse{
			PlannedState: req.PriorState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: identity, Diagnostics: invalid,
		}, nil
	}
	ctx, end := releasedContext(ctx)
	defer end()
	resp, err := s.wholeServer.PlanResourceChange(ctx, req)
	if resp != nil {
		resp.Diagnostics = slices.Concat(invalid, located(r.StateType(ctx), r.IsSecret, req.Config, resp.Diagnostics))
	}
	return resp, err
}

// ApplyResourceChange calls the framework, and locates its diagnostics.
func (s *server) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if s.stopped.Load() {
		cancel()
	}
	resp, err := s.wholeServer.ApplyResourceChange(ctx, req)
	if r, known := s.resources[req.TypeName]; known && resp != nil {
		resp.Diagnostics = located(r.StateType(ctx), r.IsSecret, req.Config, resp.Diagnostics)
	}
	return resp, err
}

// ReadResource returns the state itself if a list page shows that the object
// did not change, and otherwise calls the framework, with a context that is
// released after the call.
func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	// An apply reads nothing: this is the next run, such as the end of terraform test.
	s.stopped.Store(false)
	if configured := s.configuration(); configured != nil { // one limit for the page and the GET
		var cancel context.CancelFunc
		ctx, cancel = configured.Limit(ctx)
		defer cancel()
	}
	if resp := s.readsNoChange(ctx, req); resp != nil {
		return resp, nil
	}
	ctx, end := releasedContext(ctx)
	defer end()
	return s.wholeServer.ReadResource(ctx, req)
}

// readsNoChange returns the response for an object that did not change, or nil
// if the framework is needed.
func (s *server) readsNoChange(ctx context.Context, req *tfprotov6.ReadResourceRequest) *tfprotov6.ReadResourceResponse {
	r, known := s.resources[req.TypeName]
	configured := s.configuration()
	if !known || configured == nil || configured.Client == nil || req.CurrentState == nil {
		return nil
	}
	current, err := req.CurrentState.Unmarshal(r.StateType(ctx))
	if err != nil {
		return nil
	}
	keys, ok := r.ReadsNoChange(ctx, configured, current)
	if !ok {
		return nil
	}
	if stored := req.CurrentIdentity; stored != nil && stored.IdentityData != nil {
		if before, err := stored.IdentityData.Unmarshal(keys.Type()); err != nil || !before.IsFullyNull() && !before.Equal(keys) {
			return nil
		}
	}
	identity, err := tfprotov6.NewDynamicValue(keys.Type(), keys)
	if err != nil {
		return nil
	}
	return &tfprotov6.ReadResourceResponse{
		NewState:    req.CurrentState,
		Private:     req.Private,
		NewIdentity: &tfprotov6.ResourceIdentityData{IdentityData: &identity},
	}
}

var null = []byte{0xc0} // in MessagePack

func (s *server) plansNoChange(r Resource, req *tfprotov6.PlanResourceChangeRequest) bool {
	prior, proposed, config, configured := req.PriorState, req.ProposedNewState, req.Config, s.configuration()
	return configured != nil && prior != nil && proposed != nil && config != nil &&
		!bytes.Equal(prior.MsgPack, null) && !bytes.Equal(proposed.MsgPack, null) &&
		r.PlansNoChange(configured, prior.MsgPack, proposed.MsgPack, config.MsgPack)
}
