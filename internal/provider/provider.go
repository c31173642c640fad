// Package provider implements the provider: the schema and the configuration of
// the provider block, and the list of all objects.
package provider

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/protocol"
)

const (
	typeName        = "tunnel"
	baseURLVariable = "TUNNEL_BASE_URL"
	apiKeyVariable  = "TUNNEL_API_KEY"

	apiKeyFileVariable = "TUNNEL_API_KEY_FILE"

	skipAccountVariable = "TUNNEL_SKIP_ACCOUNT_VALIDATION"

	defaultOperationTimeout = 20 * time.Minute
	defaultExpiryWarning    = 720 * time.Hour // 30 days
)

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

// Server returns the protocol 6 server for p, which must be a provider of New.
func Server(p provider.Provider) (tfprotov6.ProviderServer, error) {
	own, ok := p.(*tunnel)
	if !ok {
		return nil, fmt.Errorf("%T is not a provider of New", p)
	}
	return protocol.Server(own, own.configured.Load)
}

// Option changes a new provider.
type Option func(*tunnel)

// WithClock sets the provider's clock, for tests.
func WithClock(now func() time.Time) Option {
	return func(p *tunnel) { p.now = now }
}

type tunnel struct {
	version string
	now     func() time.Time
	// configured is nil if the provider has no client.
	configured atomic.Pointer[crud.Provider]
}

func (p *tunnel) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = typeName
	resp.Version = p.version
}

func (p *tunnel) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		Description: "Manages the account of a tunnel service: edges, backends, domains, certificates, keys and event subscriptions.",
		Attributes: map[string]schema.Attribute{
			"base_url": schema.StringAttribute{
				Optional: true,
				Description: "Base URL of the API, such as `https://api.example.com`. Can include a path. If unset or empty, defaults to " +
					"the environment variable `" + baseURLVariable + "`.",
			},
			"api_key": schema.StringAttribute{
				Optional:  true,
				Sensitive: true,
				Description: "API key of a user or bot user. Sent only to the origin of `base_url`. Defaults to the environment variable `" +
					apiKeyVariable + "`, which keeps it out of the configuration. Conflicts with `api_key_file`.",
			},
			"api_key_file": schema.StringAttribute{
				Optional: true,
				Description: "Path of a file with the API key, for example a file that an agent or orchestrator rotates. Maximum size: 4 KiB. " +
					"Whitespace around the key is ignored. The file is read once in each run. Defaults to the environment variable `" +
					apiKeyFileVariable + "`. Conflicts with `api_key`. " +
					"The provider block takes precedence over the environment. If the provider block sets neither, it is an error to " +
					"set both environment variables.",
			},
			"ca_certificate": schema.StringAttribute{
				Optional: true,
				Description: "Certificates of the certificate authorities that the provider trusts instead of those of the system, for example for " +
					"a private gateway: PEM, or the path of a file with PEM. Defaults to the environment variable `TUNNEL_CA_CERTIFICATE`.",
			},
			"client_certificate": schema.StringAttribute{
				Optional: true,
				Description: "Client certificate for a gateway that requires one (mTLS), followed by its intermediates: PEM, or the path of a file " +
					"with PEM. A file is read once in each run. Requires `client_key`. " +
					"Defaults to the environment variable `TUNNEL_CLIENT_CERTIFICATE`.",
			},
			"client_key": schema.StringAttribute{
				Optional:  true,
				Sensitive: true,
				Description: "Private key of `client_certificate`: PEM (PKCS#8, PKCS#1 or SEC 1; not encrypted), or the path of a file with PEM. " +
					"It never leaves the machine. Prefer a path: saved plans contain the provider block. " +
					"Defaults to the environment variable `TUNNEL_CLIENT_KEY`.",
			},
			"skip_credentials_validation": schema.BoolAttribute{
				Optional: true,
				Description: "Skips the request (`GET " + api.RootKind.Path + "`) that validates `base_url` and `api_key` when Terraform " +
					"configures the provider. " +
					"Set to `true` if the service does not respond to it within 10 seconds, or if the API key cannot list " + api.RootKind.Plural() +
					". Defaults to `false`.",
			},
			"skip_account_validation": schema.BoolAttribute{
				Optional: true,
				Description: "Disables the error that the API key may belong to another account: at least three objects of the state do not " +
					"exist, and this run finds none of the others. An object and the objects in it count as one. Without this error, Terraform " +
					"would create all objects again if the API key belongs to another account. " +
					"Set to `true` for one run if all objects were deleted outside of Terraform. Defaults to the environment variable `" +
					skipAccountVariable + "`, or to `false`.",
			},
			"headers": schema.MapAttribute{
				ElementType: types.StringType,
				Optional:    true,
				Sensitive:   true,
				Description: "HTTP headers to send with every request, for example for a gateway in front of the service. " +
					"Headers that the provider or the HTTP client sets, such as `Authorization` and `Accept`, are not allowed.",
				Validators: []validator.Map{
					attribute.NoNulls, mapvalidator.KeysAre(headerName), mapvalidator.ValueStringsAre(headerValue), attribute.DistinctSettings,
				},
			},
			"max_retries": schema.Int64Attribute{
				Optional: true,
				Description: fmt.Sprintf(
					"Maximum number of retries for transient errors (connection errors, responses that are not from the API, and status 500, 502, "+
						"503 or 504). "+
						"Create requests are retried only if they were certainly not processed. Waits for rate limits (429) do not count. "+
						"Defaults to `%d`. Set to `0` to disable.",
					api.DefaultMaxRetries,
				),
				Validators: []validator.Int64{attribute.Between(0, 100)},
			},
			"request_timeout": schema.StringAttribute{
				Optional: true,
				Description: fmt.Sprintf(
					"Maximum duration of one HTTP request, such as `45s` or `2m`. Must be longer than the slowest response of the service. "+
						"Defaults to `%s`.",
					api.DefaultRequestTimeout,
				),
				Validators: []validator.String{attribute.Duration},
			},
			"operation_timeout": schema.StringAttribute{
				Optional: true,
				Description: "Maximum duration of one operation (create, read, update, delete or list), such as `30m`. " +
					"Includes retries and waits for rate limits. Defaults to `20m`.",
				Validators: []validator.String{attribute.Duration},
			},
			"bulk_reads": schema.BoolAttribute{
				Optional: true,
				Description: "Reads objects in bulk from list endpoints if that takes fewer requests. " +
					"Set to `false` if the list endpoints of the service are eventually consistent. Defaults to `true`.",
			},
			"requests_per_minute": schema.Int64Attribute{
				Optional: true,
				Description: "Maximum number of requests per 60 seconds. If unset, there is no limit, and the provider slows down when the " +
					"service returns 429. " +
					"Set it if other clients share the account's rate limit.",
				Validators: []validator.Int64{attribute.AtLeast(1)},
			},
			"allow_plain_http": schema.BoolAttribute{
				Optional: true,
				Description: "Allows `http://` in `base_url` for hosts other than `localhost` and loopback addresses. " +
					"The API key is then sent unencrypted. Defaults to `false`.",
			},
			"expiry_warning_hours": schema.Int64Attribute{
				Optional: true,
				Description: fmt.Sprintf(
					"Number of hours before expiration at which plans start to warn about a TLS certificate, and about an SSH host certificate that "+
						"is not renewed. For each certificate, this is %s. Defaults to `%d` (30 days). "+
						"Set to `0` to disable these warnings.",
					attribute.ExpiryRule, defaultExpiryWarning/time.Hour,
				),
				Validators: []validator.Int64{attribute.Between(0, attribute.MostHours)},
			},
		},
	}
}

// ValidateConfig checks base_url if it is known, so that terraform validate
// finds mistakes.
func (p *tunnel) ValidateConfig(ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	var config model
	if resp.Diagnostics.Append(req.Config.Get(ctx, &config)...); resp.Diagnostics.HasError() {
		return
	}
	if attribute.IsKnown(config.BaseURL) && !config.AllowPlainHTTP.IsUnknown() {
		config.baseURL(&resp.Diagnostics)
	}
	if attribute.IsKnown(config.APIKey) && attribute.IsKnown(config.APIKeyFile) {
		config.keySource(&resp.Diagnostics)
	}
}

// Configure creates the client, and checks base_url and api_key. There is no
// client if the configuration is not known yet, or if neither is set. Functions
// and plans of new objects do not need a client. Everything that needs it
// reports what is missing.
func (p *tunnel) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	p.configured.Store(nil)
	var config model
	if resp.Diagnostics.Append(req.Config.Get(ctx, &config)...); resp.Diagnostics.HasError() {
		return
	}
	configured := &crud.Provider{
		Kinds:            kinds,
		Now:              p.now,
		OperationTimeout: config.operationTimeout(),
		ExpiryWarning:    config.expiryWarning(),
	}
	resp.ResourceData, resp.DataSourceData, resp.ListResourceData = configured, configured, configured
	resp.EphemeralResourceData, resp.ActionData = configured, configured

	if isUnknown(req.Config.Raw) {
		if req.ClientCapabilities.DeferralAllowed {
			resp.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
		}
		return
	}
	if config.empty() {
		configured.Missing = missing
		return
	}
	base := config.baseURL(&resp.Diagnostics)
	key := config.apiKey(&resp.Diagnostics)
	if config.SkipAccount.ValueBool() || config.SkipAccount.IsNull() && boolVariable(skipAccountVariable, &resp.Diagnostics) {
		configured.SkipAccountValidation()
	}
	if resp.Diagnostics.HasError() {
		return
	}
	settings := config.client(base, key, userAgent(p.version, req.TerraformVersion))
	settings.TLS = config.tls(base.Scheme, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	client := api.New(settings)
	if !config.SkipCheck.ValueBool() {
		check(ctx, client, base.String(), &resp.Diagnostics)
	}
	if !resp.Diagnostics.HasError() {
		configured.Now = clock(ctx, base, settings.TLS, p.now, &resp.Diagnostics)
	}
	if !resp.Diagnostics.HasError() {
		configured.Client = client
		p.configured.Store(configured)
	}
}
