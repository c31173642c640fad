package crud

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// A Secret is a value that the service never returns. It has three arguments: the
// plain one, whose value is in the state, its write-only form, which has the suffix
// _wo, and the version of the latter.
type Secret struct {
	// Name is the plain argument.
	Name string
	// Title names the secret in a sentence, such as "private key".
	Title string
	// CustomType and Validators are those of both forms; optional.
	CustomType basetypes.StringTypable
	Validators []validator.String

	// Description says in sentences what the value is, Sent when it is sent, such as
	// "when the certificate is created", and Needed what does not need it.
	Description, Sent, Needed string
	// PlainChange and VersionChange say what a change of the plain argument and of
	// the version does, and the plan modifiers do it; optional.
	PlainChange, VersionChange string
	PlainModifiers             []planmodifier.String
	VersionModifiers           []planmodifier.Int64
}

// Arguments returns the names of the three arguments.
func (s Secret) Arguments() []string { return []string{s.Name, s.writeOnly(), s.version()} }

func (s Secret) writeOnly() string { return s.Name + "_wo" }
func (s Secret) version() string   { return s.writeOnly() + "_version" }

// Add adds the three arguments to the attributes of a schema, and returns it.
func (s Secret) Add(attributes map[string]schema.Attribute) map[string]schema.Attribute {
	attributes[s.writeOnly()] = schema.StringAttribute{
		CustomType: s.CustomType,
		Optional:   true,
		WriteOnly:  true, // not stored in state or plan; see TestSchema_oneSensitiveAttribute
		Description: fmt.Sprintf("%s Write-only: it is sent %s, and is never in a plan or in the state. Set either this or `%s`. %s "+
			"Terraform cannot detect changes of this value: increase `%s` when you change it.\nRequires Terraform 1.11 or newer.",
			s.Description, s.Sent, s.Name, s.Needed, s.version()),
		Validators: s.Validators,
	}
	attributes[s.version()] = schema.Int64Attribute{
		Optional:      true,
		Description:   fmt.Sprintf("Version of `%s`, a number that you choose, such as `1`.\n%s", s.writeOnly(), s.VersionChange),
		PlanModifiers: s.VersionModifiers,
	}
	attributes[s.Name] = schema.StringAttribute{
		CustomType:    s.CustomType,
		Optional:      true,
		Sensitive:     true,
		Description:   fmt.Sprintf("%s For Terraform before 1.11: it is stored in the state.\n%s", s.Description, s.PlainChange),
		Validators:    append(slices.Clone(s.Validators), stringvalidator.PreferWriteOnlyAttribute(path.MatchRoot(s.writeOnly()))),
		PlanModifiers: s.PlainModifiers,
	}
	return attributes
}

// Check checks the three arguments of a configuration.
func (s Secret) Check(plain, writeOnly, version attr.Value, diags *diag.Diagnostics) {
	switch isSet := attribute.IsKnown(writeOnly); {
	case isSet && attribute.IsKnown(plain):
		diags.AddAttributeError(path.Root(s.Name), fmt.Sprintf("Conflicting arguments %s and %s", s.Name, s.writeOnly()),
			fmt.Sprintf("Expected one of %s and %s; found both. Remove %[1]s: %[2]s keeps the %s out of the state.",
				s.Name, s.writeOnly(), s.Title))
	case isSet && version.IsNull():
		diags.AddAttributeWarning(path.Root(s.writeOnly()), fmt.Sprintf("Missing version of %s", s.writeOnly()),
			fmt.Sprintf("Terraform cannot detect changes of the write-only argument %s. Set %s, and increase it when the %s changes.",
				s.writeOnly(), s.version(), s.Title))
	}
}
