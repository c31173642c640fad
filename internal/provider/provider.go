// Package provider is the provider block: its schema, what its configuration
// comes to, and which objects there are.
package provider

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

const (
	typeName        = "tunnel"
	baseURLVariable = "TUNNEL_BASE_URL"
	apiKeyVariable  = "TUNNEL_API_KEY"
)

// defaultExpiryWarning is how long before the end of a TLS certificate a plan
// warns of it by default.
const defaultExpiryWarning = 720 * time.Hour

// New returns the constructor of the provider. The version goes into the
// User-Agent of its requests.
func New(version string, options ...Option) func() provider.Provider {
	return func() provider.Provider {
		p := &tunnel{version: version, now: time.Now}
		for _, option := range options {
			option(p)
		}
		return p
	}
}

// An Option changes what the provider is made of.
type Option func(*tunnel)

// WithClock makes the provider tell the time by another clock, for tests.
func WithClock(now func() time.Time) Option {
	return func(p *tunnel) { p.now = now }
}

// WithJournal names a folder for notes of objects on their way into being, so
// that the next run finds what a killed one has made.
func WithJournal(folder string) Option {
	return func(p *tunnel) { p.journal = folder }
}

type tunnel struct {
	version string
	journal string
	now     func() time.Time
	// configured is what Configure came to; nil where that is not enough to reach
	// the service.
	configured atomic.Pointer[crud.Provider]
}

type model struct {
	BaseURL        types.String `tfsdk:"base_url"`
	APIKey         types.String `tfsdk:"api_key"`
	Headers        types.Map    `tfsdk:"headers"`
	MaxRetries     types.Int64  `tfsdk:"max_retries"`
	RequestTimeout types.String `tfsdk:"request_timeout"`
	AllowPlainHTTP types.Bool   `tfsdk:"allow_plain_http"`
	BulkReads      types.Bool   `tfsdk:"bulk_reads"`
	PerMinute      types.Int64  `tfsdk:"requests_per_minute"`
	ExpiryWarning  types.Int64  `tfsdk:"expiry_warning_hours"`
}

func (p *tunnel) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = typeName
	resp.Version = p.version
}

func (p *tunnel) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "The tunnel provider manages the account-level resources of a tunnelling service: SSH host certificates, SSH credentials, " +
			"TLS certificates, backends, edge modules and event sources.",
		Attributes: map[string]schema.Attribute{
			"base_url": schema.StringAttribute{
				Optional:    true,
				Description: "Address of the service's API, with or without a path: https://api.example.com. Taken from " + baseURLVariable + " in the environment where it is left out.",
			},
			"api_key": schema.StringAttribute{
				Optional:    true,
				Sensitive:   true,
				Description: "API key of the User or Bot that the provider acts for. Sent to the origin of base_url only. Taken from " + apiKeyVariable + " in the environment where it is left out, which keeps it out of files.",
			},
			"headers": schema.MapAttribute{
				ElementType: types.StringType,
				Optional:    true,
				Sensitive:   true,
				Description: "Headers to send with every request, such as a gateway in front of the service needs. Authorization, Service-Version and User-Agent are the provider's own.",
				Validators:  []validator.Map{attribute.NoNulls, mapvalidator.KeysAre(headerName), mapvalidator.ValueStringsAre(headerValue)},
			},
			"max_retries": schema.Int64Attribute{
				Optional: true,
				Description: fmt.Sprintf("How often a request is sent again after a passing fault: a broken connection, a proxy's page, or 500, 502, 503 or 504. %d by default; 0 turns it off. "+
					"Where the answer to a creation got lost, the provider first looks whether the object is there, and adopts it; it creates it again only where it surely is not.", api.DefaultMaxRetries),
				Validators: []validator.Int64{int64validator.Between(0, 100)},
			},
			"request_timeout": schema.StringAttribute{
				Optional:    true,
				Description: fmt.Sprintf("How long one request may take before it counts as lost, as a duration such as 45s or 2m. %s by default.", api.DefaultRequestTimeout),
				Validators:  []validator.String{duration},
			},
			"bulk_reads": schema.BoolAttribute{
				Optional: true,
				Description: "Whether a refresh reads pages of lists where that takes fewer requests than reading each object by itself. True by default. " +
					"Turn it off for a service whose lists lag behind.",
			},
			"requests_per_minute": schema.Int64Attribute{
				Optional: true,
				Description: "How many requests the provider sends at the most within any 60 seconds. Left out, it sends as fast as it can until the service refuses (429), " +
					"and keeps to what it then learns of the limit. Set it where other programs share the account's limit.",
				Validators: []validator.Int64{int64validator.AtLeast(1)},
			},
			"allow_plain_http": schema.BoolAttribute{
				Optional:    true,
				Description: "Allows a base_url that begins with http:// on another host than this one. The API key then crosses the network in clear. False by default.",
			},
			"expiry_warning_hours": schema.Int64Attribute{
				Optional: true,
				Description: fmt.Sprintf("How many hours before the end of a TLS certificate every plan with it begins to carry a warning, with its name, its id and the date. "+
					"%d by default, which is 30 days; 0 turns it off.", defaultExpiryWarning/time.Hour),
				Validators: []validator.Int64{int64validator.Between(0, attribute.MostHours)},
			},
		},
	}
}

// ValidateConfig checks the address as far as it is known, so that a mistake is
// found by terraform validate.
func (p *tunnel) ValidateConfig(ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	var config model
	if resp.Diagnostics.Append(req.Config.Get(ctx, &config)...); resp.Diagnostics.HasError() {
		return
	}
	if attribute.Known(config.BaseURL) && !config.AllowPlainHTTP.IsUnknown() {
		config.baseURL(&resp.Diagnostics)
	}
}

// Configure makes the client. As long as the block holds values that are not
// known yet there is none: objects can be planned for creation without, and
// whatever needs the service says what is missing.
func (p *tunnel) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	p.configured.Store(nil)
	var config model
	if resp.Diagnostics.Append(req.Config.Get(ctx, &config)...); resp.Diagnostics.HasError() {
		return
	}
	configured := &crud.Provider{Now: p.now, ExpiryWarning: config.expiryWarning()}
	resp.ResourceData, resp.DataSourceData, resp.ListResourceData = configured, configured, configured

	if config.unknown() {
		if req.ClientCapabilities.DeferralAllowed {
			resp.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
		}
		return
	}
	base := config.baseURL(&resp.Diagnostics)
	key := config.apiKey(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	configured.Client = api.New(api.Config{
		BaseURL:        base,
		APIKey:         key,
		Headers:        attribute.StringMap(config.Headers),
		UserAgent:      fmt.Sprintf("terraform-provider-tunnel/%s (+terraform/%s)", p.version, req.TerraformVersion),
		MaxRetries:     config.maxRetries(),
		RequestTimeout: config.requestTimeout(),
		Journal:        p.journal,

		BulkReads:         config.BulkReads.IsNull() || config.BulkReads.ValueBool(),
		RequestsPerMinute: int(config.PerMinute.ValueInt64()),
		Log: func(ctx context.Context, message string, fields map[string]any) {
			tflog.Debug(masked(ctx, key), message, fields)
		},
		Warn: func(ctx context.Context, message string, fields map[string]any) {
			tflog.Warn(masked(ctx, key), message, fields)
		},
	})
	p.configured.Store(configured)
}

// masked keeps the API key out of a log, should anything ever repeat it.
func masked(ctx context.Context, key string) context.Context {
	return tflog.MaskAllFieldValuesStrings(tflog.MaskMessageStrings(ctx, key), key)
}

func (m *model) unknown() bool {
	headers := m.Headers.IsUnknown()
	for _, value := range m.Headers.Elements() {
		headers = headers || value.IsUnknown()
	}
	return headers || m.BaseURL.IsUnknown() || m.APIKey.IsUnknown() || m.MaxRetries.IsUnknown() ||
		m.RequestTimeout.IsUnknown() || m.AllowPlainHTTP.IsUnknown() || m.BulkReads.IsUnknown() || m.PerMinute.IsUnknown()
}

func (m *model) baseURL(diags *diag.Diagnostics) *url.URL {
	raw, from := m.BaseURL.ValueString(), "base_url"
	if raw == "" {
		raw, from = os.Getenv(baseURLVariable), baseURLVariable+" in the environment"
	}
	if raw == "" {
		diags.AddAttributeError(path.Root("base_url"), "Missing base_url",
			"Set base_url in the provider block, or "+baseURLVariable+" in the environment, to the address of the service's API, such as https://api.example.com.")
		return nil
	}
	base, err := api.ParseBaseURL(raw, m.AllowPlainHTTP.ValueBool())
	if err != nil {
		diags.AddAttributeError(path.Root("base_url"), "Invalid base_url", "The address given as "+from+" "+err.Error()+".")
	}
	return base
}

func (m *model) apiKey(diags *diag.Diagnostics) string {
	key := m.APIKey.ValueString()
	if key == "" {
		key = os.Getenv(apiKeyVariable)
	}
	if key == "" {
		diags.AddAttributeError(path.Root("api_key"), "Missing api_key",
			"Set api_key in the provider block, or "+apiKeyVariable+" in the environment, to an API key of the service at base_url.")
	} else if err := headerText(key); err != nil {
		diags.AddAttributeError(path.Root("api_key"), "Invalid api_key",
			"The API key "+err.Error()+". Look for a line end or a space that was copied with it, in api_key or in "+apiKeyVariable+".")
	}
	return key
}

func (m *model) maxRetries() int {
	if m.MaxRetries.IsNull() {
		return api.DefaultMaxRetries
	}
	return int(m.MaxRetries.ValueInt64())
}

func (m *model) expiryWarning() time.Duration {
	if hours, ok := attribute.Hours(m.ExpiryWarning); ok {
		return hours
	}
	return defaultExpiryWarning
}

func (m *model) requestTimeout() time.Duration {
	if timeout, err := time.ParseDuration(m.RequestTimeout.ValueString()); err == nil {
		return timeout
	}
	return api.DefaultRequestTimeout
}
