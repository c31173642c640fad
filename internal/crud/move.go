package crud

// This file keeps a promise: whoever comes from another provider of the same service
// keeps every object, and a move never deletes one by surprise.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// MoveState moves an object from a resource of another provider that manages the same
// objects. It takes only the id, so that no attribute of the other provider matters: the
// refresh of the same plan reads the rest, and is an error if the object does not exist.
func (r *kindResource) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: func(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
		from, to := req.SourceTypeName, Type(r.kind.Kind)
		var old struct{ ID string }
		switch {
		case strings.HasPrefix(from, prefix) || !r.isTypeOfOthers(from):
			resp.Diagnostics.AddError("Cannot move to another resource type", fmt.Sprintf(
				"A %s cannot become a %s: they are different objects of the service. Remove the moved block.\n\n"+
					"If the configuration no longer has the %[1]s, the next apply deletes its object. To keep the object, add this block:\n\n"+
					"  removed {\n    from = %[1]s.NAME\n    lifecycle {\n      destroy = false\n    }\n  }", from, to))
		case len(r.kind.Keys) > 1 || r.kind.Keys[0].Name != "id":
			resp.Diagnostics.AddError("Cannot move to "+to, fmt.Sprintf("Import the %s with the ID %s. "+
				"Then replace the moved block with a removed block for the %s that has destroy = false.", r.kind.Noun, r.kind.importForm(), from))
		case json.Unmarshal(req.SourceRawState.JSON, &old) != nil || checkKey(old.ID) != nil:
			resp.Diagnostics.AddError("Cannot move to "+to, fmt.Sprintf("The state of the %s has no valid id. Remove the moved block, and import "+
				"the %s with its ID, such as %s.", from, r.kind.Noun, r.kind.Keys[0].Example))
		default:
			id := types.StringValue(old.ID)
			resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("id"), id)...)
			if resp.TargetIdentity != nil {
				resp.Diagnostics.Append(resp.TargetIdentity.SetAttribute(ctx, path.Root("id"), id)...)
			}
		}
	}}}
}

// isTypeOfOthers reports whether a resource type of another provider is for objects of
// the kind.
func (r *kindResource) isTypeOfOthers(name string) bool {
	_, name, _ = strings.Cut(name, "_") // the prefix of the provider
	return name == typeOf(r.kind.Noun) || slices.Contains(r.kind.OtherTypes, name)
}

// refuseUnread adds an error to a plan of an object whose state has nothing but its id,
// because a move was not followed by a refresh: all attributes would change, and a
// certificate would be replaced.
func (r *kindResource) refuseUnread(diags *diag.Diagnostics) {
	diags.AddError("The "+r.kind.Noun+" has not been read yet", fmt.Sprintf("The state has only the ID of the %s, because it was moved from "+
		"another provider. Plan without -refresh=false, so that the provider reads it.", r.kind.Noun))
}
