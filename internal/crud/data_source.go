package crud

import (
	"context"
	"iter"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// DataSource returns the constructor of the data source that reads one object,
// by its keys or by the kind's lookup.
func (k Kind[M, T]) DataSource() func() datasource.DataSource {
	attributes := k.dataAttributes()
	lookup := k.Reading.Lookup
	for _, key := range k.Keys {
		validators := []validator.String{attribute.Check(key.Name, key.notEmpty)}
		if own, ok := k.Schema.Attributes[key.Name].(resource.StringAttribute); ok && key.Kind == nil && len(own.Validators) > 0 {
			validators = own.Validators
		}
		attributes[key.Name] = schema.StringAttribute{
			Required: lookup == nil, Optional: lookup != nil, Computed: lookup != nil,
			Description: key.Description,
			Validators:  validators,
		}
	}
	if lookup != nil {
		_, isAttribute := attributes[lookup.Name]
		attributes[lookup.Name] = schema.StringAttribute{
			Optional:    true,
			Computed:    isAttribute,
			Description: lookup.Description,
			Validators:  []validator.String{attribute.Check(lookup.Name, lookup.Check)},
		}
	}
	v := viewOf(&k)
	return func() datasource.DataSource {
		return &dataSource[M, T]{
			base: base[M, T]{kind: &k}, view: v,
			schema: schema.Schema{Description: k.Reading.Description, Attributes: attributes},
		}
	}
}

type dataSource[M, T any] struct {
	base[M, T]
	view   view[M]
	schema schema.Schema
}

var (
	_ datasource.DataSourceWithConfigure        = &dataSource[any, any]{}
	_ datasource.DataSourceWithConfigValidators = &dataSource[any, any]{}
)

func (d *dataSource[M, T]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.kind.Type()
}

func (d *dataSource[M, T]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.schema
}

func (d *dataSource[M, T]) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	d.provider, _ = req.ProviderData.(*Provider)
}

// ConfigValidators checks that either the id or the argument of the lookup is set.
func (d *dataSource[M, T]) ConfigValidators(context.Context) []datasource.ConfigValidator {
	lookup := d.kind.Reading.Lookup
	if lookup == nil {
		return nil
	}
	return []datasource.ConfigValidator{
		datasourcevalidator.ExactlyOneOf(path.MatchRoot(d.kind.Keys[0].Name), path.MatchRoot(lookup.Name)),
	}
}

func (d *dataSource[M, T]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model M
	for _, key := range d.kind.Keys {
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(key.Name), key.Of(&model))...)
	}
	client := d.client(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	ctx, cancel := d.limit(ctx)
	defer cancel()

	object := d.find(ctx, client, req.Config, &model, &resp.Diagnostics)
	if object == nil {
		return
	}
	d.kind.Fill(d.provider, object, &model)
	values, diags := d.view.of(ctx, &model, d.provider.Now())
	resp.Diagnostics.Append(diags...)
	resp.State.Raw = req.Config.Raw // keeps the lookup argument, which is not part of the object
	for name, value := range values.Attributes() {
		if lookup := d.kind.Reading.Lookup; lookup != nil && name == lookup.Name {
			var given types.String // as configured: the service may spell it differently
			if resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root(name), &given)...); !given.IsNull() {
				continue
			}
		}
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
}

// find returns the object that a configuration names. It returns nil and adds
// an error if there is none.
func (d *dataSource[M, T]) find(ctx context.Context, client *api.Client, config tfsdk.Config, model *M, diags *diag.Diagnostics) *T {
	if lookup := d.kind.Reading.Lookup; lookup != nil {
		var text types.String
		if diags.Append(config.GetAttribute(ctx, path.Root(lookup.Name), &text)...); !text.IsNull() {
			return d.lookUp(ctx, client, model, text.ValueString(), diags)
		}
	}
	object, err := d.kind.Operations.Read(ctx, client, model)
	switch {
	case api.IsGone(err):
		diags.AddError(capital(d.kind.Noun)+" not found", d.notFound(model, ""))
	case err != nil:
		d.failed(diags, "reading", model, err)
	default:
		return object
	}
	return nil
}

func (d *dataSource[M, T]) lookUp(ctx context.Context, client *api.Client, model *M, text string, diags *diag.Diagnostics) *T {
	var broken error
	objects := func(yield func(*T) bool) {
		for page, err := range d.kind.Operations.Pages(ctx, client, model) {
			if err != nil {
				broken = err
				return
			}
			for _, item := range page.Items {
				if !yield(item.Object) {
					return
				}
			}
		}
	}
	lookup := d.kind.Reading.Lookup
	object, err := lookup.Find(text, d.provider.Now(), iter.Seq[*T](objects))
	switch {
	case broken != nil:
		d.failed(diags, "finding", model, broken)
	case err != nil:
		diags.AddAttributeError(path.Root(lookup.Name), capital(d.kind.Noun)+" not found", capital(err.Error())+".")
	default:
		return object
	}
	return nil
}

// view converts objects to the form that data sources return.
type view[M any] struct {
	resource       map[string]attr.Type // attributes of the resource
	dataAttributes map[string]attr.Type
	derived        []Derived[M]
}

func viewOf[M, T any](k *Kind[M, T]) view[M] {
	v := view[M]{resource: map[string]attr.Type{}, dataAttributes: map[string]attr.Type{}, derived: k.Reading.Derived}
	for name, attribute := range k.Schema.Attributes {
		v.resource[name] = attribute.GetType()
	}
	for name, attribute := range k.dataAttributes() {
		v.dataAttributes[name] = attribute.GetType()
	}
	return v
}

// of returns an object as data sources return it, with the derived attributes
// at the time now.
func (v view[M]) of(ctx context.Context, object *M, now time.Time) (types.Object, diag.Diagnostics) {
	whole, diags := types.ObjectValueFrom(ctx, v.resource, object)
	values := map[string]attr.Value{}
	for name, value := range whole.Attributes() {
		if _, ok := v.dataAttributes[name]; ok {
			values[name] = value
		}
	}
	for _, derived := range v.derived {
		values[derived.Name] = derived.Of(object, now)
	}
	result, more := types.ObjectValue(v.dataAttributes, values)
	diags.Append(more...)
	return result, diags
}
