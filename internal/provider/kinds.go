package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/edgepolicy"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/eventsource"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/failoverbackend"
	functions "github.com/tunnel-service/terraform-provider-tunnel/internal/function"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/groupbackend"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/routemodule"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/sshcredential"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/sshhostcertificate"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/tlscertificate"
)

// A collection is a kind of which the service has lists.
type collection interface {
	module
	DataSources() func() datasource.DataSource
	ListResource() func() list.ListResource
}

// A module is a kind without.
type module interface {
	Resource() func() resource.Resource
	DataSource() func() datasource.DataSource
}

var (
	collections = []collection{
		eventsource.Kind,
		failoverbackend.Kind,
		groupbackend.Kind,
		sshcredential.Kind,
		sshhostcertificate.Kind,
		tlscertificate.Kind,
	}
	modules = []module{
		edgepolicy.TCP,
		edgepolicy.TLS,
		routemodule.Compression,
		routemodule.WebsocketTCPConverter,
	}
)

var (
	_ provider.ProviderWithListResources = &tunnel{}
	_ provider.ProviderWithFunctions     = &tunnel{}
)

func (p *tunnel) Resources(context.Context) []func() resource.Resource {
	var resources []func() resource.Resource
	for _, kind := range collections {
		resources = append(resources, kind.Resource())
	}
	for _, kind := range modules {
		resources = append(resources, kind.Resource())
	}
	return resources
}

func (p *tunnel) DataSources(context.Context) []func() datasource.DataSource {
	var sources []func() datasource.DataSource
	for _, kind := range collections {
		sources = append(sources, kind.DataSource(), kind.DataSources())
	}
	for _, kind := range modules {
		sources = append(sources, kind.DataSource())
	}
	return sources
}

func (p *tunnel) ListResources(context.Context) []func() list.ListResource {
	var lists []func() list.ListResource
	for _, kind := range collections {
		lists = append(lists, kind.ListResource())
	}
	return lists
}

func (p *tunnel) Functions(context.Context) []func() function.Function { return functions.All }
