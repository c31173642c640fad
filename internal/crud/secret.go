package crud

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// CheckSecret checks the attributes of a secret that the service never returns: the
// plain one, whose value is in the state, its write-only form, which has the suffix
// _wo, and the version of the latter. title names the secret in a sentence, such as
// "private key".
func CheckSecret(name, title string, plain, writeOnly, version attr.Value, diags *diag.Diagnostics) {
	wo := name + "_wo"
	switch isSet := attribute.IsKnown(writeOnly); {
	case isSet && attribute.IsKnown(plain):
		diags.AddAttributeError(path.Root(name), fmt.Sprintf("Conflicting arguments %s and %s", name, wo),
			fmt.Sprintf("Expected one of %s and %s; found both. Remove %[1]s: %[2]s keeps the %s out of the state.", name, wo, title))
	case isSet && version.IsNull():
		diags.AddAttributeWarning(path.Root(wo), fmt.Sprintf("Missing version of %s", wo),
			fmt.Sprintf("Terraform cannot detect changes of the write-only argument %s. Set %[1]s_version, and increase it when the %s changes.",
				wo, title))
	}
}
