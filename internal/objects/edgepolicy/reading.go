package edgepolicy

import (
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

func reading(protocol string) crud.Reading[model, api.EdgePolicy] {
	words := map[string]string{
		"enabled":  "Whether the policy is applied to traffic.",
		"inbound":  "Rules for traffic that comes in through the edge, in order. Empty if there are none.",
		"outbound": "Rules for traffic that goes out through the edge, in order. Empty if there are none.",
	}
	for _, direction := range []string{"inbound", "outbound"} {
		words[direction+".name"] = "Human-readable name of the rule."
		words[direction+".expressions"] = "Expressions in the Common Expression Language (CEL) that filter the traffic that the rule applies to."
		words[direction+".actions"] = "Actions for the traffic that the rule applies to, in order."
		words[direction+".actions.type"] = "Type of the action, such as `deny`, `log` or `restrict-ips`."
		words[direction+".actions.config"] = "Configuration of the action: a JSON object as a string, which `jsondecode` reads. Null if the action has none."
	}
	return crud.Reading[model, api.EdgePolicy]{
		Description: "Reads the policy of a " + protocol + " edge. Fails if the edge has none.",
		Plural:      strings.ToLower(protocol) + "_edge_policies",
		Nouns:       protocol + " edge policies",
		Words:       words,
	}
}
