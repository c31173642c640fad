package crud

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// ListResource returns the constructor of the list resource of a kind, for
// terraform query.
func (k *Definition) ListResource() func() list.ListResource {
	attributes := listArguments(k,
		func(description string, validators []validator.String) schema.Attribute {
			return schema.StringAttribute{Optional: true, Description: description, Validators: validators}
		},
		func(description string, validators []validator.Map) schema.Attribute {
			return schema.MapAttribute{Optional: true, ElementType: types.StringType, Description: description, Validators: validators}
		})
	description := "Lists the " + k.Plural() + " in the account that match all filters, for `terraform query`."
	return func() list.ListResource {
		return &listResource{
			base:   base{kind: k},
			schema: schema.Schema{Description: description, Attributes: attributes},
		}
	}
}

type listResource struct {
	base
	schema schema.Schema
}

var _ list.ListResourceWithConfigure = &listResource{}

func (l *listResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + typeOf(l.kind.Noun)
}

func (l *listResource) ListResourceConfigSchema(
	_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse,
) {
	resp.Schema = l.schema
}

func (l *listResource) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	l.provider, _ = req.ProviderData.(*Provider)
}

// List streams the objects. Beyond the limit it reads only until it knows whether there
// are more, which the last result says in a warning.
func (l *listResource) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var diags diag.Diagnostics
	given, client := argumentsOf(req.Config), l.client(&diags)
	if client == nil {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		ctx, cancel := l.provider.Limit(ctx)
		defer cancel()
		var last *list.ListResult
		var count int64
		for item, err := range l.matching(ctx, client, given, &diags) {
			var next list.ListResult
			switch {
			case count == req.Limit && req.Limit > 0:
				left := "There are more"
				if err != nil { // all that was asked for is there
					left = "There may be more"
				}
				last.Diagnostics.AddWarning(fmt.Sprintf("List of %s truncated at %d", l.kind.Plural(), req.Limit),
					fmt.Sprintf("%s results than the limit of %d. Increase limit in the list block, or add filters in config.", left, req.Limit))
				push(*last)
				return
			case err != nil:
				scope := l.modelOf(given)
				l.failed(&next.Diagnostics, "listing", scope, err)
			default:
				next = l.result(ctx, req, item)
			}
			if last != nil && !push(*last) {
				return
			}
			last = &next
			count++
		}
		if diags.HasError() { // of the arguments
			last = &list.ListResult{Diagnostics: diags}
		}
		if last != nil {
			push(*last)
		}
	}
}

// result returns an object as Read would store it in a state.
func (l *listResource) result(ctx context.Context, req list.ListRequest, item item) list.ListResult {
	result, object, model := req.NewListResult(ctx), item.Object, item.Model
	result.DisplayName = quote.Foreign(l.importID(model))
	if name := l.kind.Reading.Name; name != nil {
		result.DisplayName = quote.Foreign(name(object))
	}
	result.Diagnostics.Append(l.identify(ctx, model, result.Identity)...)
	if req.IncludeResource {
		result.Diagnostics.Append(l.encode(ctx, model, &result.Resource.Raw)...)
	}
	return result
}
