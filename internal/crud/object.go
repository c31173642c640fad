package crud

import (
	"cmp"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// Object is what the models of all objects with an id have.
type Object struct {
	ID          types.String        `tfsdk:"id"`
	URI         types.String        `tfsdk:"uri"`
	CreatedAt   attribute.Timestamp `tfsdk:"created_at"`
	Description types.String        `tfsdk:"description"`
	Metadata    attribute.Metadata  `tfsdk:"metadata"`
}

// Fill writes the service's answer into a model.
func (o *Object) Fill(answer *api.Object) {
	o.ID = types.StringValue(answer.ID)
	o.URI = types.StringValue(answer.URI)
	o.CreatedAt = attribute.TimestampType{}.Of(answer.CreatedAt)
	o.Description = attribute.Optional(o.Description, answer.Description)
	o.Metadata = attribute.Metadata{StringValue: attribute.Optional(o.Metadata.StringValue, answer.Metadata)}
}

// Details returns what a creation says of the object.
func (o *Object) Details() api.Details {
	return api.Details{Description: o.Description.ValueString(), Metadata: o.Metadata.ValueString()}
}

// DetailsUpdate returns what an update says of it, and whether it says anything.
func (o *Object) DetailsUpdate(state *Object) (api.DetailsUpdate, bool) {
	update := api.DetailsUpdate{
		Description: attribute.Changed(o.Description, state.Description),
		Metadata:    attribute.Changed(o.Metadata.StringValue, state.Metadata.StringValue),
	}
	return update, update != api.DetailsUpdate{}
}

// Compare puts the older of two objects first, and of two as old the one with
// the lower id.
func (o *Object) Compare(other *Object) int {
	at, _ := attribute.Instant(o.CreatedAt)
	otherAt, _ := attribute.Instant(other.CreatedAt)
	return cmp.Or(at.Compare(otherAt), cmp.Compare(o.ID.ValueString(), other.ID.ValueString()))
}

// ObjectKey is the key of all objects with an id, where object finds what is
// common to them in a model. The example is an id, for the documentation.
func ObjectKey[M any](object func(*M) *Object, noun, example string) []Key[M] {
	return []Key[M]{{
		Name:        "id",
		Description: "Id of the " + noun + ", such as " + example + ".",
		Example:     example,
		Of:          func(model *M) *types.String { return &object(model).ID },
	}}
}

// ObjectAttributes returns the attributes of Object together with those of one
// kind. The noun is what descriptions call the object.
func ObjectAttributes(noun string, own map[string]schema.Attribute) map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"id":         Computed("Id of the " + noun + ", chosen by the service when it is created."),
		"uri":        Computed("Address of the " + noun + " in the service's API."),
		"created_at": ComputedTime("Time at which the " + noun + " was created, by the service's clock, in RFC 3339 notation."),
		"description": schema.StringAttribute{
			Optional:    true,
			Description: "What the " + noun + " is for, in words for people. At most 255 bytes of UTF-8. Changed in place; removing it clears it.",
			Validators:  []validator.String{attribute.MaxBytes(255)},
		},
		"metadata": schema.StringAttribute{
			CustomType: attribute.MetadataType{},
			Optional:   true,
			Description: "Data of your own for programs to read, commonly a JSON document made by jsonencode. At most 4096 bytes of UTF-8. Changed in place; removing it clears it. " +
				"Another spelling of the same JSON object or array is no change.",
			Validators:    []validator.String{attribute.MaxBytes(4096)},
			PlanModifiers: []planmodifier.String{attribute.MetadataType{}.KeepSame()},
		},
	}
	maps.Copy(attributes, own)
	return attributes
}

// Computed returns a string that the service decides once and never changes.
func Computed(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Computed:      true,
		Description:   description,
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

// ComputedTime is Computed for a timestamp.
func ComputedTime(description string) schema.StringAttribute {
	computed := Computed(description)
	computed.CustomType = attribute.TimestampType{}
	return computed
}
