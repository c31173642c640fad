package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	actions "github.com/tunnel-service/terraform-provider-tunnel/internal/action"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	functions "github.com/tunnel-service/terraform-provider-tunnel/internal/function"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/apikey"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/botuser"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/edge"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/edgebackend"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/edgepolicy"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/eventdestination"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/eventsource"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/eventsubscription"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/failoverbackend"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/groupbackend"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/httpresponsebackend"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/httpsedgeroute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/ippolicy"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/ippolicyrule"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/iprestriction"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/reservedaddress"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/reserveddomain"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/routemodule"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/sshcertificateauthority"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/sshcredential"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/sshhostcertificate"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/objects/tlscertificate"
)

// kinds lists all objects that the provider manages.
var kinds = []*crud.Definition{
	edge.HTTPS, edge.TCP, edge.TLS,
	edgebackend.HTTPSRoute, edgebackend.TCP, edgebackend.TLS,
	edgepolicy.TCP, edgepolicy.TLS,
	iprestriction.HTTPSRoute, iprestriction.TCP, iprestriction.TLS,
	apikey.Kind,
	botuser.Kind,
	eventdestination.Kind,
	eventsource.Kind,
	eventsubscription.Kind,
	failoverbackend.Kind,
	groupbackend.Kind,
	httpresponsebackend.Kind,
	httpsedgeroute.Kind,
	ippolicy.Kind, ippolicyrule.Kind,
	reservedaddress.Kind,
	reserveddomain.Kind,
	routemodule.Compression, routemodule.WebsocketTCPConverter,
	sshcertificateauthority.Kind,
	sshcredential.Kind,
	sshhostcertificate.Kind,
	tlscertificate.Kind,
}

// Kinds describes all objects that the provider manages.
func Kinds() []crud.Description {
	all := make([]crud.Description, len(kinds))
	for i, kind := range kinds {
		all[i] = kind.Describe()
	}
	return all
}

var (
	_ provider.ProviderWithListResources      = &tunnel{}
	_ provider.ProviderWithEphemeralResources = &tunnel{}
	_ provider.ProviderWithFunctions          = &tunnel{}
	_ provider.ProviderWithActions            = &tunnel{}
)

func (p *tunnel) Resources(context.Context) []func() resource.Resource {
	var resources []func() resource.Resource
	for _, kind := range kinds {
		resources = append(resources, kind.Resource())
	}
	return resources
}

func (p *tunnel) DataSources(context.Context) []func() datasource.DataSource {
	var sources []func() datasource.DataSource
	for _, kind := range kinds {
		sources = append(sources, kind.DataSource(), kind.DataSources())
	}
	return sources
}

func (p *tunnel) ListResources(context.Context) []func() list.ListResource {
	var lists []func() list.ListResource
	for _, kind := range kinds {
		lists = append(lists, kind.ListResource())
	}
	return lists
}

func (p *tunnel) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{apikey.Ephemeral}
}

// End ends what must not outlive the process: the API keys of ephemeral resources.
func End() { apikey.DeleteOpen() }

func (p *tunnel) Functions(context.Context) []func() function.Function { return functions.All }

func (p *tunnel) Actions(context.Context) []func() action.Action { return actions.All }
