package sshcredential

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// validate warns of an ACL that looks like a restriction and is none.
func validate(_ context.Context, config *model, diags *diag.Diagnostics) {
	rules := attribute.Strings(config.ACL)
	if len(rules) > 1 && slices.Contains(rules, attribute.EveryAction) {
		diags.AddAttributeWarning(path.Root("acl"), "ACL rules without effect",
			"acl has the rule *, which permits everything, so the other rules beside it do nothing. Remove either * or the others.")
	}
}
