package edgepolicy

import (
	"fmt"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

func reading(protocol string) crud.Reading[*model, *api.EdgePolicy] {
	descriptions := map[string]string{
		"inbound":  "Ordered list of rules for inbound traffic. Empty if there are none.",
		"outbound": "Ordered list of rules for outbound traffic. Empty if there are none.",
	}
	for _, direction := range []string{"inbound", "outbound"} {
		descriptions[direction+".name"] = "Human-readable name of the rule. Null if unset."
		descriptions[direction+".expressions"] = "CEL (Common Expression Language) expressions that select the traffic of the rule. " +
			"Empty if the rule applies to all traffic."
		descriptions[direction+".actions.type"] = "Action type, such as `deny`, `log` or `restrict-ips`."
		descriptions[direction+".actions.config"] = "Action configuration as a JSON object that can be decoded with `jsondecode`. " +
			"Null if the action has none."
	}
	return crud.Reading[*model, *api.EdgePolicy]{
		Description:  "Reads the policy of a " + protocol + " edge. Fails if no policy is set.",
		Descriptions: descriptions,
		Name: func(o *api.EdgePolicy) string {
			return fmt.Sprintf("policy with %d inbound and %d outbound rules", len(o.Inbound), len(o.Outbound))
		},
	}
}
