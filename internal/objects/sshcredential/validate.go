package sshcredential

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// plan warns of a change that removes the ACL. A configuration without acl is
// common, but removing it from an existing credential may be a mistake.
func plan(_ context.Context, p *crud.Planning[*model]) {
	if p.State == nil || !p.Config.ACL.IsNull() || len(p.State.ACL.Elements()) == 0 ||
		slices.Contains(attribute.Strings(p.State.ACL), attribute.EveryAction) {
		return
	}
	p.Diagnostics.AddAttributeWarning(path.Root("acl"), "SSH credential without restrictions",
		fmt.Sprintf("The plan removes acl from %s, so tunnels of this credential can bind anything. If that is not what you want, restore acl. "+
			"If the credential does not need restrictions, set acl to [\"*\"] to say so without this warning.", p.State.ID.ValueString()))
}

// effective is a validator that warns of rules without effect, and of an empty
// ACL, because it permits everything.
type effective struct{}

func (effective) Description(context.Context) string { return "at least one rule, and none with *" }

func (v effective) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (effective) ValidateList(ctx context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	if !attribute.IsNew(ctx, req.Path, req.ConfigValue) {
		return
	}
	rules := attribute.Strings(req.ConfigValue)
	if len(req.ConfigValue.Elements()) == 0 {
		resp.Diagnostics.AddAttributeWarning(
			req.Path,
			"SSH credential without restrictions",
			"acl is empty, so tunnels of this credential can bind anything. Add rules to restrict the credential. "+
				"If it does not need restrictions, remove acl or set it to [\"*\"].",
		)
	}
	if len(rules) > 1 && slices.Contains(rules, attribute.EveryAction) {
		resp.Diagnostics.AddAttributeWarning(req.Path, "ACL rules without effect",
			"acl contains the rule *, which permits everything, so the other rules have no effect. Remove either * or the other rules.")
	}
}
