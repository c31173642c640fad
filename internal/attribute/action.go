package attribute

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ActionType is a validator of the form of a policy action's type. Which types
// there are, the service knows.
var ActionType = Check("the type of an action, such as restrict-ips", CheckActionType)

var actionType = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// CheckActionType says what is wrong with the form of an action's type.
func CheckActionType(text string) error {
	if actionType.MatchString(text) {
		return nil
	}
	if meant := strings.ToLower(strings.ReplaceAll(text, "_", "-")); actionType.MatchString(meant) {
		return fmt.Errorf("must consist of lower-case letters, digits and hyphens, found %q: perhaps %q is meant", text, meant)
	}
	return fmt.Errorf("must be the type of an action, such as deny, log or restrict-ips: lower-case letters, digits and hyphens; found %q", text)
}

// Action is a validator of an object with type and config: an action that takes
// no config must have none.
var Action validator.Object = action{}

type action struct{}

func (action) Description(context.Context) string { return "an action of the type deny has no config" }

func (a action) MarkdownDescription(ctx context.Context) string { return a.Description(ctx) }

func (action) ValidateObject(_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	attributes := req.ConfigValue.Attributes()
	kind, ok := attributes["type"].(types.String)
	config, given := attributes["config"]
	if ok && kind.ValueString() == "deny" && given && Known(config) {
		at := req.Path.AtName("config")
		resp.Diagnostics.AddAttributeError(at, "Invalid action",
			sentence(at.String(), errors.New("must be left out: the action deny takes no config")))
	}
}
