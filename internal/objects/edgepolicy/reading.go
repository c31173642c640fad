package edgepolicy

import (
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

func reading(protocol string) crud.Reading[model, api.EdgePolicy] {
	words := map[string]string{
		"enabled":  "Whether the policy is applied to traffic.",
		"inbound":  "Rules for traffic that comes in through the edge, in order. Empty where there are none.",
		"outbound": "Rules for traffic that goes out through the edge, in order. Empty where there are none.",
	}
	for _, direction := range []string{"inbound", "outbound"} {
		words[direction+".name"] = "Name of the rule, for people."
		words[direction+".expressions"] = "Expressions in the Common Expression Language (CEL) that filter the traffic to which the rule applies."
		words[direction+".actions"] = "What is done with the traffic to which the rule applies, in order."
		words[direction+".actions.type"] = "Type of the action, such as deny, log or restrict-ips."
		words[direction+".actions.config"] = "Configuration of the action: a JSON object as a string, which jsondecode reads. Null where the action has none."
	}
	return crud.Reading[model, api.EdgePolicy]{
		Description: "Reads the policy of a " + protocol + " edge. Fails if the edge has none.",
		Plural:      strings.ToLower(protocol) + "_edge_policies",
		Nouns:       protocol + " edge policies",
		Words:       words,
	}
}
