// Package httpresponsebackend defines backends that return the same response to
// every request: tunnel_http_response_backend.
package httpresponsebackend

import (
	"context"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// Kind describes HTTP response backends to Terraform.
var Kind = crud.Define(crud.Kind[*model, *api.HTTPResponseBackend]{
	Kind:        api.HTTPResponseBackends.Kind,
	Subcategory: "Backends",
	Schema: schema.Schema{
		Description: "An HTTP response backend. It returns the same response for every request, for example a maintenance page. " +
			crud.ReplaceInUse("a backend"),
		Attributes: crud.ObjectAttributes(api.HTTPResponseBackends.Kind, attributes),
	},
	Keys:       crud.ObjectKey[model](api.HTTPResponseBackends.Kind),
	Fill:       fill,
	Reading:    reading,
	Plan:       plan,
	Operations: crud.Collection(api.HTTPResponseBackends, crud.CreateWith(body), body),
})

type model struct {
	crud.Object
	Body       types.String `tfsdk:"body"`
	Headers    types.Map    `tfsdk:"headers"`
	StatusCode types.Int64  `tfsdk:"status_code"`
}

var attributes = map[string]schema.Attribute{
	"body": schema.StringAttribute{
		Optional: true,
		Description: "Body of the response, such as the HTML of a maintenance page.\nDefaults to an empty body. Can be updated in place. " +
			"If the stored body is JSON, the same content in the compact form of `jsonencode` is not a change, because Terraform writes it into " +
			"generated configurations: whitespace, the order of members, and how numbers and characters are written do not count. " +
			"Any other difference is a change.",
		Validators:    []validator.String{attribute.BodyText},
		PlanModifiers: []planmodifier.String{attribute.KeepGenerated},
	},
	"headers": schema.MapAttribute{
		ElementType: types.StringType,
		Optional:    true,
		Description: "Headers of the response, such as `{ Content-Type = \"text/html\" }`. Header names are case-insensitive." +
			"\nCan be updated in place.",
		Validators: []validator.Map{
			attribute.NoNulls,
			mapvalidator.KeysAre(attribute.HeaderName, attribute.ServedHeader),
			mapvalidator.ValueStringsAre(attribute.HeaderValue),
			attribute.DistinctHeaders,
		},
		PlanModifiers: []planmodifier.Map{attribute.KeepSameHeaders()},
	},
	"status_code": schema.Int64Attribute{
		Optional:    true,
		Computed:    true,
		Default:     int64default.StaticInt64(200),
		Description: "HTTP status code of the response, from 100 to 599.\nDefaults to `200`. Can be updated in place.",
		Validators:  []validator.Int64{attribute.LimitBetween(100, 599)},
	},
}

// plan warns about a body that no client gets.
func plan(_ context.Context, p *crud.Planning[*model]) {
	status, changed := p.Plan.StatusCode.ValueInt64(), p.State == nil
	if p.State != nil {
		changed = !p.Plan.StatusCode.Equal(p.State.StatusCode) || !p.Plan.Body.Equal(p.State.Body)
	}
	withoutBody := status == http.StatusNoContent || status == http.StatusNotModified || status > 0 && status < http.StatusOK
	if withoutBody && changed && p.Plan.Body.ValueString() != "" {
		p.Diagnostics.AddAttributeWarning(path.Root("body"), "Response without a body", fmt.Sprintf(
			"A response with the status code %d has no body, so no client gets the value of body. Remove body, or set another status_code.", status,
		))
	}
}

func body(plan *model) api.HTTPResponseBackendBody {
	return api.HTTPResponseBackendBody{
		Details: plan.Details(), Body: plan.Body.ValueString(),
		Headers: attribute.StringMap(plan.Headers), StatusCode: plan.StatusCode.ValueInt64(),
	}
}

func fill(_ *crud.Provider, answer *api.HTTPResponseBackend, m *model) {
	m.Object.Fill(&answer.Object)
	m.Body = attribute.Optional(m.Body, answer.Body)
	m.Headers = attribute.OptionalHeaders(m.Headers, answer.Headers)
	m.StatusCode = types.Int64Null() // the response does not have it
	if answer.StatusCode != 0 {
		m.StatusCode = types.Int64Value(int64(answer.StatusCode))
	}
}
