package crud

import (
	"context"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// doubtful reports a creation whose outcome is not known, and what a person can
// do about it.
func (r *managed[M, D, T]) doubtful(diags *diag.Diagnostics, plan *M, doubt *api.Doubt, err error) {
	summary := "The " + r.kind.Noun + " may exist or not"
	detail := capital(err.Error()) + ".\n\n"
	switch {
	case r.kind.Operations.Addressed:
		detail += "It is recorded as created and not certain to be right: the next apply looks, and makes it anew where it is there."
	case len(doubt.IDs) == 0:
		detail += "Before you apply again, look at the service for " + article(r.kind.Noun) + " that carries exactly what this resource says and was created just now. " +
			"Where there is one, delete it, or import it with:\n\n  terraform import " + r.address() + " ID"
	default:
		detail += "What this resource says is at the service more than once, or nobody can tell since when. Look at each of them, delete what is too much, and import the one that stays:\n\n" +
			strings.Join(r.importCommands(plan, doubt.IDs), "\n")
	}
	diags.AddError(summary, detail)
}

// importCommands shows how each of some objects would be imported.
func (r *managed[M, D, T]) importCommands(plan *M, ids []string) []string {
	last := r.kind.Keys[len(r.kind.Keys)-1]
	commands := make([]string, len(ids))
	for i, id := range ids {
		model := *plan
		*last.Of(&model) = types.StringValue(id)
		commands[i] = "  terraform import " + r.address() + " " + r.importID(&model)
	}
	return commands
}

// recordDoubtful writes the plan into the state where that is enough to find the
// object again, so that it is in no case forgotten. Terraform takes an object
// whose creation ended with an error for tainted: the next refresh drops it where
// it is not there, and the next apply replaces it where it is.
func (r *managed[M, D, T]) recordDoubtful(ctx context.Context, plan tftypes.Value, model *M, resp *resource.CreateResponse) diag.Diagnostics {
	var diags diag.Diagnostics
	if !r.kind.Operations.Addressed {
		return diags
	}
	known, err := tftypes.Transform(plan, func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if !value.IsKnown() {
			return tftypes.NewValue(value.Type(), nil), nil
		}
		return value, nil
	})
	if err != nil {
		diags.AddError("The state could not be written", err.Error())
		return diags
	}
	resp.State.Raw = known
	return r.identify(ctx, model, resp.Identity)
}

// createdKey is where the private part of a state says when this provider
// created the object, by the local clock. It stays there for good: a read that
// takes it away is news to terraform plan -refresh-only -detailed-exitcode.
const createdKey = "created"

func createdNow() []byte {
	return []byte(`"` + time.Now().UTC().Format(time.RFC3339Nano) + `"`)
}

// createdAt is the time that createdNow wrote; the zero time where there is none.
func createdAt(private []byte) time.Time {
	var created time.Time
	if created.UnmarshalJSON(private) != nil {
		return time.Time{}
	}
	return created
}
