package sshcredential

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// effective is a validator that warns of rules without effect, and of an empty
// ACL, because it permits everything.
type effective struct{}

func (effective) Description(context.Context) string { return "at least one rule, and none with *" }

func (v effective) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (effective) ValidateSet(ctx context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	if !attribute.InPlan(ctx) {
		return
	}
	rules := attribute.Strings(req.ConfigValue)
	if attribute.IsKnown(req.ConfigValue) && len(req.ConfigValue.Elements()) == 0 {
		resp.Diagnostics.AddAttributeWarning(req.Path, "SSH credential without restrictions",
			"acl is empty, so tunnels of this credential can bind anything. Add rules to restrict the credential. If it does not need restrictions, remove acl or set it to [\"*\"].")
	}
	if len(rules) > 1 && slices.Contains(rules, attribute.EveryAction) {
		resp.Diagnostics.AddAttributeWarning(req.Path, "ACL rules without effect",
			"acl contains the rule *, which permits everything, so the other rules have no effect. Remove either * or the other rules.")
	}
}
