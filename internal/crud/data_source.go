package crud

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/datasourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// DataSource returns the constructor of the data source that reads one object,
// by its keys or by the kind's lookup.
func (k *Definition) DataSource() func() datasource.DataSource {
	attributes, lookup := k.dataAttributes(), k.Reading.Lookup
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
	source := dataSource{name: typeOf(k.Noun), single: true}
	if lookup != nil {
		_, isAttribute := attributes[lookup.Name]
		attributes[lookup.Name] = schema.StringAttribute{
			Optional:    true,
			Computed:    isAttribute,
			Description: lookup.Description,
			Validators:  []validator.String{attribute.Check(lookup.Name, lookup.Check)},
		}
	}
	source.schema = schema.Schema{Description: k.Reading.Description, Attributes: attributes}
	return source.of(k)
}

// DataSources returns the constructor of the data source that reads all objects
// of a kind that match the filters.
func (k *Definition) DataSources() func() datasource.DataSource {
	order := "sorted by `" + strings.Join(k.importForm().names, "` and `") + "`"
	if _, ok := k.Schema.Attributes["created_at"]; ok {
		order = "oldest first"
	}
	attributes := listArguments(k,
		func(description string, validators []validator.String) schema.Attribute {
			return schema.StringAttribute{Optional: true, Description: description, Validators: validators}
		},
		func(description string, validators []validator.Map) schema.Attribute {
			return schema.MapAttribute{Optional: true, ElementType: types.StringType, Description: description, Validators: validators}
		})
	attributes[typeOf(k.Plural())] = schema.ListNestedAttribute{
		Computed:     true,
		Description:  "The " + k.Plural() + ", " + order + ". Empty if there are none.",
		NestedObject: schema.NestedAttributeObject{Attributes: k.dataAttributes()},
	}
	description := "Reads the " + k.Plural() + " in the account. Returns objects that match all filters, or all objects if no filter is set."
	source := dataSource{name: typeOf(k.Plural()), schema: schema.Schema{Description: description, Attributes: attributes}}
	return source.of(k)
}

// dataSource is a data source of one object or of many.
type dataSource struct {
	base
	name   string
	single bool // returns one object
	schema schema.Schema
}

// of returns the constructor of a data source.
func (d dataSource) of(kind *Definition) func() datasource.DataSource {
	d.kind = kind
	return func() datasource.DataSource {
		made := d
		return &made
	}
}

var (
	_ datasource.DataSourceWithConfigure        = &dataSource{}
	_ datasource.DataSourceWithConfigValidators = &dataSource{}
)

func (d *dataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.name
}

func (d *dataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.schema
}

func (d *dataSource) Configure(_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	d.provider, _ = req.ProviderData.(*Provider)
}

// ConfigValidators require either the id or the argument of the lookup.
func (d *dataSource) ConfigValidators(context.Context) []datasource.ConfigValidator {
	lookup := d.kind.Reading.Lookup
	if lookup == nil || !d.single {
		return nil
	}
	return []datasource.ConfigValidator{
		datasourcevalidator.ExactlyOneOf(path.MatchRoot(d.kind.Keys[0].Name), path.MatchRoot(lookup.Name)),
	}
}

func (d *dataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	client := d.client(&resp.Diagnostics)
	if client == nil {
		return
	}
	ctx, cancel := d.provider.Limit(ctx)
	defer cancel()

	given := argumentsOf(req.Config)
	read := d.many
	if d.single {
		read = d.one
	}
	values := read(ctx, client, given, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	for name, value := range given {
		if _, found := values[name]; !found {
			values[name] = value
		}
	}
	resp.State.Raw = tftypes.NewValue(req.Config.Raw.Type(), values)
}

// one reads the object that the arguments name.
func (d *dataSource) one(ctx context.Context, client *api.Client, given arguments, diags *diag.Diagnostics) map[string]tftypes.Value {
	model := d.modelOf(given)
	var object any
	lookup, looksUp := d.kind.Reading.Lookup, false
	var text string
	if lookup != nil {
		text, looksUp = given.text(lookup.Name)
	}
	if looksUp {
		object = d.lookUp(ctx, client, model, text, diags)
	} else {
		var err error
		switch object, err = d.kind.Operations.Read(ctx, client, model); {
		case api.IsGone(err):
			diags.AddError(capital(d.kind.Noun)+" not found", d.notFound(model, ""))
		case err != nil:
			d.failed(diags, "reading", model, err)
		}
	}
	if diags.HasError() {
		return nil
	}
	d.kind.Fill(d.provider, object, model)
	values := d.view(ctx, model, diags)
	if looksUp {
		delete(values, lookup.Name) // stays as configured: the service may spell it differently
	}
	return values
}

func (d *dataSource) lookUp(ctx context.Context, client *api.Client, model any, text string, diags *diag.Diagnostics) any {
	var broken error
	objects := func(yield func(any) bool) {
		for item, err := range d.kind.Operations.List(ctx, client, model) {
			if err != nil {
				broken = err
				return
			}
			if !yield(item.Object) {
				return
			}
		}
	}
	lookup := d.kind.Reading.Lookup
	object, err := lookup.Find(text, d.provider.Now(), objects)
	switch {
	case broken != nil:
		d.failed(diags, "finding", model, broken)
	case err != nil:
		diags.AddAttributeError(path.Root(lookup.Name), capital(d.kind.Noun)+" not found", capital(err.Error())+".")
	}
	return object
}

// many reads the objects that match the filters.
func (d *dataSource) many(
	ctx context.Context, client *api.Client, given arguments, diags *diag.Diagnostics,
) map[string]tftypes.Value {
	scope := d.modelOf(given)
	var found []any
	for item, err := range d.matching(ctx, client, given, diags) {
		switch {
		case api.IsGone(err):
			diags.AddError("Error listing "+d.kind.Plural(), capital(err.Error())+". "+checkIDAdvice)
		case err != nil:
			d.failed(diags, "listing", scope, err)
		default:
			found = append(found, item.Model)
		}
	}
	slices.SortFunc(found, d.compare)

	list := d.schema.Attributes[d.name].GetType().TerraformType(ctx).(tftypes.List) //nolint:forcetypeassert // as in DataSources
	elements := make([]tftypes.Value, len(found))
	for i, object := range found {
		values := d.view(ctx, object, diags)
		if diags.HasError() {
			return nil
		}
		elements[i] = tftypes.NewValue(list.ElementType, values)
	}
	return map[string]tftypes.Value{d.name: tftypes.NewValue(list, elements)}
}

// view returns the attributes of an object in data sources, with the derived ones at
// the time now.
func (d *dataSource) view(ctx context.Context, object any, diags *diag.Diagnostics) map[string]tftypes.Value {
	var raw tftypes.Value
	var values map[string]tftypes.Value
	diags.Append(d.encode(ctx, object, &raw)...)
	err := raw.As(&values)
	values = maps.Clone(values)
	maps.DeleteFunc(values, func(name string, _ tftypes.Value) bool { return slices.Contains(d.kind.Reading.ResourceOnly, name) })
	for _, derived := range d.kind.Reading.Derived {
		if err == nil {
			values[derived.Name], err = derived.Of(object, d.provider.Now()).ToTerraformValue(ctx)
		}
	}
	if err != nil && !diags.HasError() {
		diags.AddError("Error reading "+d.kind.Noun, capital(err.Error())+".")
	}
	return values
}
