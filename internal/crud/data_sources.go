package crud

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// DataSources returns the constructor of the data source that reads all objects
// of a kind that match the filters.
func (k Kind[M, T]) DataSources() func() datasource.DataSource {
	order := "sorted by `" + strings.Join(k.importForm().names, "` and `") + "`"
	if _, ok := k.Schema.Attributes["created_at"]; ok {
		order = "oldest first"
	}
	attributes := listArguments(&k,
		func(description string, validators []validator.String) schema.Attribute {
			return schema.StringAttribute{Optional: true, Description: description, Validators: validators}
		},
		func(description string, validators []validator.Map) schema.Attribute {
			return schema.MapAttribute{Optional: true, ElementType: types.StringType, Description: description, Validators: validators}
		})
	attributes[k.TypeOfMany()] = schema.ListNestedAttribute{
		Computed:     true,
		Description:  "The " + k.Plural() + ", " + order + ". Empty if there are none.",
		NestedObject: schema.NestedAttributeObject{Attributes: k.dataAttributes()},
	}
	description := "Reads the " + k.Plural() + " in the account. Returns objects that match all filters, or all objects if no filter is set."
	returned := typesOf(k.dataAttributes())
	return func() datasource.DataSource {
		return &dataSources[M, T]{
			base: base[M, T]{kind: &k}, returned: returned,
			schema: schema.Schema{Description: description, Attributes: attributes},
		}
	}
}

type dataSources[M, T any] struct {
	base[M, T]
	returned map[string]attr.Type // attributes of an object
	schema   schema.Schema
}

var _ datasource.DataSourceWithConfigure = &dataSources[any, any]{}

func (d *dataSources[M, T]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.kind.TypeOfMany()
}

func (d *dataSources[M, T]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.schema
}

func (d *dataSources[M, T]) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	d.provider, _ = req.ProviderData.(*Provider)
}

func (d *dataSources[M, T]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	scope, diags := d.scope(ctx, req.Config)
	resp.Diagnostics.Append(diags...)
	matches, diags := d.condition(ctx, req.Config)
	resp.Diagnostics.Append(diags...)
	client := d.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := d.limit(ctx)
	defer cancel()

	var found []*M
	for page, err := range d.kind.Operations.Pages(ctx, client, &scope) {
		if err != nil {
			if api.IsGone(err) {
				_, hint := d.otherKinds(&scope)
				resp.Diagnostics.AddError("Error listing "+d.kind.Plural(), capital(err.Error())+". "+checkIDAdvice+hint)
				return
			}
			d.failed(&resp.Diagnostics, "listing", &scope, err)
			return
		}
		for i := range page.Items {
			if item := page.Items[i]; matches(item.Object) {
				model := item.Keys
				d.kind.Fill(d.provider, item.Object, &model)
				found = append(found, &model)
			}
		}
	}
	slices.SortFunc(found, d.compare)

	elements := make([]attr.Value, len(found))
	for i, object := range found {
		element, diags := d.view(ctx, d.returned, object)
		if resp.Diagnostics.Append(diags...); diags.HasError() {
			return
		}
		elements[i] = element
	}
	list, diags := types.ListValue(types.ObjectType{AttrTypes: d.returned}, elements)
	resp.Diagnostics.Append(diags...)
	resp.State.Raw = req.Config.Raw // keeps the filters as configured
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(d.kind.TypeOfMany()), list)...)
}
