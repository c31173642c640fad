package crud

import (
	"fmt"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// Identified holds the attributes that the models of all objects with an id have.
type Identified struct {
	ID        types.String        `tfsdk:"id"`
	URI       types.String        `tfsdk:"uri"`
	CreatedAt attribute.Timestamp `tfsdk:"created_at"`
}

// Fill writes the service's answer into a model.
func (o *Identified) Fill(answer *api.Identified) {
	o.ID = types.StringValue(answer.ID)
	o.URI = types.StringValue(string(answer.URI))
	o.CreatedAt = attribute.TimestampType{}.Of(string(answer.CreatedAt))
}

// Object holds the attributes of an object with a description and metadata.
type Object struct {
	Identified
	Description types.String       `tfsdk:"description"`
	Metadata    attribute.Metadata `tfsdk:"metadata"`
}

// Fill writes the service's answer into a model.
func (o *Object) Fill(answer *api.Object) {
	o.Identified.Fill(&answer.Identified)
	o.Description = attribute.Optional(o.Description, answer.Description)
	o.Metadata = attribute.Metadata{StringValue: attribute.Optional(o.Metadata.StringValue, answer.Metadata)}
}

// Details returns the common part of the body of a request.
func (o *Object) Details() api.Details {
	return api.Details{Description: o.Description.ValueString(), Metadata: o.Metadata.ValueString()}
}

// objectModel is a model that embeds Identified.
type objectModel[M any] interface {
	*M
	common() *Identified
}

func (o *Identified) common() *Identified { return o }

// createdAt returns when the object of a model was created, by the service's
// clock. It returns the zero time if the model has no such attribute or value.
func createdAt(model any) (at time.Time) {
	if object, ok := model.(interface{ common() *Identified }); ok {
		at, _ = attribute.Instant(object.common().CreatedAt)
	}
	return at
}

// ObjectKey returns the key of objects with an id.
func ObjectKey[M any, P objectModel[M]](kind *api.Kind) []Key[*M] {
	return []Key[*M]{{Name: "id", Kind: kind, Of: func(model *M) *types.String { return &P(model).common().ID }}}
}

// IdentifiedAttributes returns the attributes of Identified, together with own, the
// attributes of one kind.
func IdentifiedAttributes(kind *api.Kind, own map[string]schema.Attribute) map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"id":         Computed("ID of the " + kind.Noun + ", assigned by the service."),
		"uri":        Computed("URI of the " + kind.Noun + "."),
		"created_at": ComputedTime("Creation time of the " + kind.Noun + ", in RFC 3339 format."),
	}
	maps.Copy(attributes, own)
	return attributes
}

// ObjectAttributes returns the attributes of Object, together with own, the
// attributes of one kind. Longer texts are errors if the contract states the limits.
func ObjectAttributes(kind *api.Kind, own map[string]schema.Attribute) map[string]schema.Attribute {
	limit, longest := attribute.UsuallyMaxBytes, "The plan warns above %d bytes of UTF-8."
	if kind.StatesLimits {
		limit, longest = attribute.MaxBytes, "At most %d bytes of UTF-8."
	}
	attributes := IdentifiedAttributes(kind, map[string]schema.Attribute{
		"description": schema.StringAttribute{
			Optional: true,
			Description: "Human-readable description of the " + kind.Noun + ".\n" + fmt.Sprintf(longest, MaxDescription) +
				" Can be updated in place.",
			Validators:    []validator.String{limit(MaxDescription)},
			PlanModifiers: []planmodifier.String{attribute.KeepGenerated},
		},
		"metadata": schema.StringAttribute{
			CustomType: attribute.MetadataType{},
			Optional:   true,
			Description: "Arbitrary user-defined metadata, usually JSON created with `jsonencode`.\n" + fmt.Sprintf(longest, maxMetadata) +
				" Formatting differences in JSON objects and arrays are ignored. Can be updated in place.",
			Validators:    []validator.String{limit(maxMetadata)},
			PlanModifiers: []planmodifier.String{attribute.MetadataType{}.KeepSame()},
		},
	})
	maps.Copy(attributes, own)
	return attributes
}

const (
	// MaxDescription is the maximum length of a description, in bytes of UTF-8.
	MaxDescription = 255
	maxMetadata    = 4096 // bytes
)

// Computed returns a string attribute that the service sets once and never
// changes.
func Computed(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Computed:      true,
		Description:   description,
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

// ComputedTime is like Computed, for a timestamp.
func ComputedTime(description string) schema.StringAttribute {
	computed := Computed(description)
	computed.CustomType = attribute.TimestampType{}
	return computed
}
