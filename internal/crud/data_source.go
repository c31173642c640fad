package crud

import (
	"context"
	"iter"

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
	"github.com/hashicorp/terraform-plugin-go/tftypes"

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
	returned := typesOf(k.dataAttributes())
	return func() datasource.DataSource {
		return &dataSource[M, T]{
			base: base[M, T]{kind: &k}, returned: returned,
			schema: schema.Schema{Description: k.Reading.Description, Attributes: attributes},
		}
	}
}

type dataSource[M, T any] struct {
	base[M, T]
	returned map[string]attr.Type // attributes of an object
	schema   schema.Schema
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
	values, diags := d.view(ctx, d.returned, &model)
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

// typesOf returns the types of attributes.
func typesOf(attributes map[string]schema.Attribute) map[string]attr.Type {
	types := make(map[string]attr.Type, len(attributes))
	for name, attribute := range attributes {
		types[name] = attribute.GetType()
	}
	return types
}

// view returns an object as data sources with the given attributes return it, with the
// derived attributes at the time now.
func (s *base[M, T]) view(ctx context.Context, attributes map[string]attr.Type, object *M) (types.Object, diag.Diagnostics) {
	var raw tftypes.Value
	diags := s.encode(ctx, object, &raw)
	whole, err := s.kind.object.ValueFromTerraform(ctx, raw)
	if err != nil && !diags.HasError() {
		diags.AddError("Error reading "+s.kind.Noun, capital(err.Error())+".")
	}
	if diags.HasError() {
		return types.Object{}, diags
	}
	values := map[string]attr.Value{}
	for name, value := range whole.(types.Object).Attributes() { //nolint:forcetypeassert // the type of a schema
		if attributes[name] != nil {
			values[name] = value
		}
	}
	for _, derived := range s.kind.Reading.Derived {
		values[derived.Name] = derived.Of(object, s.provider.Now())
	}
	return types.ObjectValue(attributes, values)
}
