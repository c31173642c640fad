package sshcredential

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute"
)

// effective is a validator that warns of rules which do nothing. It looks at the
// one attribute only: to take a whole configuration apart costs more than all
// the rest of its validation.
type effective struct{}

func (effective) Description(context.Context) string { return "no rule beside *" }

func (v effective) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (effective) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	rules := attribute.Strings(req.ConfigValue)
	if len(rules) > 1 && slices.Contains(rules, attribute.EveryAction) {
		resp.Diagnostics.AddAttributeWarning(req.Path, "ACL rules without effect",
			"acl has the rule *, which permits everything, so the other rules beside it do nothing. Remove either * or the others.")
	}
}
