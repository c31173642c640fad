package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// model is the configuration of the provider block.
type model struct {
	BaseURL           types.String `tfsdk:"base_url"`
	APIKey            types.String `tfsdk:"api_key"`
	APIKeyFile        types.String `tfsdk:"api_key_file"`
	CACertificate     types.String `tfsdk:"ca_certificate"`
	ClientCertificate types.String `tfsdk:"client_certificate"`
	ClientKey         types.String `tfsdk:"client_key"`
	SkipCheck         types.Bool   `tfsdk:"skip_credentials_validation"`
	SkipAccount       types.Bool   `tfsdk:"skip_account_validation"`
	Headers           types.Map    `tfsdk:"headers"`
	MaxRetries        types.Int64  `tfsdk:"max_retries"`
	RequestTimeout    types.String `tfsdk:"request_timeout"`
	OperationTimeout  types.String `tfsdk:"operation_timeout"`
	AllowPlainHTTP    types.Bool   `tfsdk:"allow_plain_http"`
	BulkReads         types.Bool   `tfsdk:"bulk_reads"`
	PerMinute         types.Int64  `tfsdk:"requests_per_minute"`
	ExpiryWarning     types.Int64  `tfsdk:"expiry_warning_hours"`
}

const (
	setBaseURL = "Set base_url in the provider block, or " + baseURLVariable + " in the environment, to the base URL of the API, such as " +
		"https://api.example.com."
	setAPIKey = "Set api_key in the provider block, or " + apiKeyVariable + " in the environment, to an API key of the service at base_url, " +
		"or api_key_file or " + apiKeyFileVariable + " to the path of a file that contains it."
	missing = "Neither base_url nor api_key is set. " + setBaseURL + " " + setAPIKey
)

// isUnknown reports whether a value of the provider block that the client needs is known
// only after apply.
func isUnknown(block tftypes.Value) bool {
	var arguments map[string]tftypes.Value
	if block.As(&arguments) != nil {
		return true
	}
	delete(arguments, "expiry_warning_hours") // plans warn by the default then
	return slices.ContainsFunc(slices.Collect(maps.Values(arguments)), func(value tftypes.Value) bool { return !value.IsFullyKnown() })
}

// empty reports whether neither base_url nor api_key is set, in the
// configuration or in the environment.
func (m *model) empty() bool {
	return cmp.Or(
		m.BaseURL.ValueString(), os.Getenv(baseURLVariable), m.APIKey.ValueString(), os.Getenv(apiKeyVariable),
		m.APIKeyFile.ValueString(), os.Getenv(apiKeyFileVariable),
	) == ""
}

// boolVariable returns the boolean of an environment variable, false if it is not set.
func boolVariable(name string, diags *diag.Diagnostics) bool {
	text := os.Getenv(name)
	value, err := strconv.ParseBool(cmp.Or(text, "false"))
	if err != nil {
		diags.AddError("Invalid "+name, fmt.Sprintf("%s must be true or false; found %s.", name, attribute.Quote(text)))
	}
	return value
}

func (m *model) baseURL(diags *diag.Diagnostics) *url.URL {
	raw, from := m.BaseURL.ValueString(), "base_url"
	if raw == "" {
		raw, from = os.Getenv(baseURLVariable), baseURLVariable
	}
	if raw == "" {
		diags.AddAttributeError(path.Root("base_url"), "Missing base_url", setBaseURL)
		return nil
	}
	base, err := api.ParseBaseURL(raw, m.AllowPlainHTTP.ValueBool())
	switch {
	case err != nil && strings.Contains(raw, "@"): // Terraform prints the line of an argument, which may contain a password
		diags.AddError("Invalid base_url", from+" "+err.Error()+".")
	case err != nil:
		diags.AddAttributeError(path.Root("base_url"), "Invalid base_url", from+" "+err.Error()+".")
	}
	return base
}

// client returns the configuration of the API client.
func (m *model) client(base *url.URL, key, userAgent string) api.Config {
	config := api.Config{
		BaseURL: base, APIKey: key, UserAgent: userAgent,
		Headers:           attribute.StringMap(m.Headers),
		MaxRetries:        api.DefaultMaxRetries,
		RequestTimeout:    attribute.DurationOf(m.RequestTimeout, api.DefaultRequestTimeout),
		BulkReads:         m.BulkReads.IsNull() || m.BulkReads.ValueBool(),
		RequestsPerMinute: int(m.PerMinute.ValueInt64()),
		Log:               func(ctx context.Context, message string, fields map[string]any) { tflog.Debug(ctx, message, fields) },
	}
	if !m.MaxRetries.IsNull() {
		config.MaxRetries = int(m.MaxRetries.ValueInt64())
	}
	return config
}

func (m *model) operationTimeout() time.Duration {
	return attribute.DurationOf(m.OperationTimeout, defaultOperationTimeout)
}

func (m *model) expiryWarning() time.Duration {
	if hours, ok := attribute.Hours(m.ExpiryWarning); ok {
		return hours
	}
	return defaultExpiryWarning
}

// userAgent returns the User-Agent of all requests. It ends with the value of
// TF_APPEND_USER_AGENT, as for other providers.
func userAgent(version, terraform string) string {
	agent := fmt.Sprintf("terraform-provider-tunnel/%s (+terraform/%s)", version, terraform)
	own := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' { // not allowed in a header
			return -1
		}
		return r
	}, os.Getenv("TF_APPEND_USER_AGENT"))
	return strings.TrimSpace(agent + " " + strings.TrimSpace(own))
}

// check finds out with a request whether base_url and api_key are right. If
// not, it adds one diagnostic.
func check(ctx context.Context, client *api.Client, base string, diags *diag.Diagnostics) {
	err := client.Check(ctx)
	if err == nil || ctx.Err() != nil {
		return
	}
	const (
		checkBaseURL = "Check base_url in the provider block, or " + baseURLVariable
		skip         = "\n\nIf base_url and api_key are correct, set skip_credentials_validation = true in the provider block to skip this check."
	)
	answer, answered := errors.AsType[*api.Error](err)
	is := func(status int) bool { return answered && answer.Status == status }
	fromService := answered && answer.FromService
	unreachable := checkBaseURL + ", including its scheme (https:// if the service uses TLS), port and path, that the service is running, " +
		"and that this machine can resolve the host and connect to it."
	if os.Getenv("ALL_PROXY")+os.Getenv("all_proxy") != "" && os.Getenv("HTTPS_PROXY")+os.Getenv("https_proxy") == "" {
		unreachable += " ALL_PROXY is not used: set HTTPS_PROXY."
	}
	switch {
	case is(http.StatusUnauthorized) || is(http.StatusForbidden):
		unreachable += " If base_url is correct, check " + whereAPIKeyIs + "." + skip
	case errors.Is(err, api.ErrNoResponse):
		unreachable += skip
	}
	for _, situation := range []struct {
		applies                    bool
		attribute, summary, advice string
	}{
		{fromService && is(http.StatusForbidden), "", "Could not validate base_url and api_key", "The API key may be invalid, or lack " +
			"permission to list " + api.RootKind.Plural() + ". If other requests fail too, check base_url and api_key." + skip},
		{fromService && is(http.StatusUnauthorized), "api_key", "Invalid API key", "Check " + whereAPIKeyIs +
			", and that the API key belongs to the service at base_url."},
		{errors.Is(err, api.ErrNotAPI) || is(http.StatusNotFound), "base_url", "base_url is not the base URL of the API",
			"A server responded, but not as the API does. " + checkBaseURL + ", including its host, port and path: it must be the part of " +
				"the API's URLs before " + api.RootKind.Path + "." + skip},
		{errors.Is(err, api.ErrProxy), "", "Could not reach the API through the proxy", "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY in the " +
			"environment, and that the proxy is running and allows connections to the host of base_url."},
		{errors.Is(err, api.ErrIncomplete), "base_url", "Could not validate base_url and api_key", "A server responded, and the connection " +
			"broke off. Run Terraform again. If this repeats, check the service and any proxy." + skip},
		{true, "base_url", "Could not reach the API at base_url", unreachable},
	} {
		if !situation.applies {
			continue
		}
		detail := "The request that validates base_url (" + base + ") and api_key failed: " + err.Error() + ".\n\n" + situation.advice
		switch {
		case fromService && is(http.StatusForbidden):
			diags.AddWarning(situation.summary, detail)
		case situation.attribute == "":
			diags.AddError(situation.summary, detail)
		default:
			diags.AddAttributeError(path.Root(situation.attribute), situation.summary, detail)
		}
		return
	}
}
