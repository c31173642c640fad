package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// diagram returns the references of all kinds as a Mermaid graph, and the rows of a table
// of the objects that attributes refer to and that the provider does not manage.
func diagram(all []crud.Description) (graph, unmanaged string) {
	graph = "graph LR\n"
	uses := map[string][]string{} // arguments, by what they name
	for _, kind := range all {
		arrows, form := "", "-->"
		arrow := func(to ...*api.Kind) {
			var targets []string
			for _, other := range to {
				if other.Path != "" {
					targets = append(targets, crud.Type(other))
				}
			}
			if len(targets) > 0 {
				arrows += fmt.Sprintf("  %s %s %s\n", kind.Type, form, strings.Join(targets, " & "))
			}
		}
		if parents := kind.Parents; len(parents) > 0 {
			if kind.Module() {
				form = "-.->"
			}
			arrow(parents[len(parents)-1].Kind)
			form = "-->"
		}
		for _, reference := range kind.References {
			arrow(reference.To...)
			var nouns []string
			for _, other := range reference.To {
				if other.Path == "" {
					nouns = append(nouns, other.Plural())
				}
			}
			if named := strings.Join(nouns, " and "); named != "" {
				uses[named] = append(uses[named], fmt.Sprintf("`%s` of `%s`", reference.Attribute, kind.Type))
			}
		}
		if arrows == "" && !slices.ContainsFunc(all, func(other crud.Description) bool { return other.RefersTo(kind.Kind) }) {
			arrows = "  " + kind.Type + "\n"
		}
		graph += arrows
	}
	for _, nouns := range slices.Sorted(maps.Keys(uses)) {
		unmanaged += fmt.Sprintf("| %s | Set their IDs in %s. |\n", nouns, strings.Join(uses[nouns], " and "))
	}
	return graph, unmanaged
}
