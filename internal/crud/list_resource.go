package crud

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/quote"
)

// ListResource returns the constructor of the list resource of a kind, for
// terraform query.
func (k Kind[M, T]) ListResource() func() list.ListResource {
	attributes := listArguments(&k,
		func(description string, validators []validator.String) schema.Attribute {
			return schema.StringAttribute{Optional: true, Description: description, Validators: validators}
		},
		func(description string, validators []validator.Map) schema.Attribute {
			return schema.MapAttribute{Optional: true, ElementType: types.StringType, Description: description, Validators: validators}
		})
	description := "Lists the " + k.Plural() + " in the account that match all filters, for `terraform query`."
	return func() list.ListResource {
		return &listResource[M, T]{
			base:   base[M, T]{kind: &k},
			schema: schema.Schema{Description: description, Attributes: attributes},
		}
	}
}

type listResource[M, T any] struct {
	base[M, T]
	schema schema.Schema
}

var _ list.ListResourceWithConfigure = &listResource[any, any]{}

func (l *listResource[M, T]) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + l.kind.Type()
}

func (l *listResource[M, T]) ListResourceConfigSchema(
	_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse,
) {
	resp.Schema = l.schema
}

func (l *listResource[M, T]) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	l.provider, _ = req.ProviderData.(*Provider)
}

// List streams the objects page by page. It requests no further page when it
// has as many results as Terraform requested.
func (l *listResource[M, T]) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	scope, diags := l.scope(ctx, req.Config)
	matches, more := l.condition(ctx, req.Config)
	diags.Append(more...)
	client := l.client(&diags)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		ctx, cancel := l.limit(ctx)
		defer cancel()
		var count int64
		for page, err := range l.kind.Operations.Pages(ctx, client, &scope) {
			if err != nil {
				var result list.ListResult
				l.failed(&result.Diagnostics, "listing", &scope, err)
				push(result)
				return
			}
			for i := range page.Items {
				item := page.Items[i]
				if !matches(item.Object) {
					continue
				}
				result := l.result(ctx, req, item)
				count++
				full := count == req.Limit
				if full {
					l.warnOfMore(&result, req.Limit, page.Items[i+1:], page.Last, matches)
				}
				if !push(result) || full {
					return
				}
			}
		}
	}
}

// result returns an object as Read would store it in a state.
func (l *listResource[M, T]) result(ctx context.Context, req list.ListRequest, item Item[M, T]) list.ListResult {
	result, object, model := req.NewListResult(ctx), item.Object, &item.Keys
	l.kind.Fill(l.provider, object, model)
	result.DisplayName = l.importID(model)
	if name := l.kind.Reading.Name; name != nil {
		result.DisplayName = quote.Foreign(name(object))
	}
	result.Diagnostics.Append(l.identify(ctx, model, result.Identity)...)
	if req.IncludeResource {
		result.Diagnostics.Append(l.encode(ctx, model, &result.Resource.Raw)...)
	}
	return result
}

// warnOfMore adds a warning to the last result if there are more matching
// objects, or may be. rest is the rest of the page, and last reports whether it
// is the last page.
func (l *listResource[M, T]) warnOfMore(result *list.ListResult, limit int64, rest []Item[M, T], last bool, matches func(*T) bool) {
	left := "There are more"
	if !slices.ContainsFunc(rest, func(item Item[M, T]) bool { return matches(item.Object) }) {
		if last {
			return
		}
		left = "There may be more"
	}
	result.Diagnostics.AddWarning(fmt.Sprintf("List of %s truncated at %d", l.kind.Plural(), limit),
		fmt.Sprintf("%s results than the limit of %d. Increase limit in the list block, or add filters in config.", left, limit))
}
