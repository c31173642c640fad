package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// diagram returns the references of all kinds as a Mermaid graph.
func diagram(all []crud.Description) string {
	var text strings.Builder
	text.WriteString("graph LR\n")
	for _, kind := range all {
		alone := !slices.ContainsFunc(all, func(other crud.Description) bool { return other.RefersTo(kind.Kind) })
		arrow := func(form string, to ...*api.Kind) {
			var targets []string
			for _, other := range to {
				if other.Path != "" {
					targets = append(targets, crud.Type(other))
				}
			}
			if len(targets) > 0 {
				fmt.Fprintf(&text, "  %s %s %s\n", kind.Type, form, strings.Join(targets, " & "))
				alone = false
			}
		}
		if parents := kind.Parents; len(parents) > 0 {
			form := "-->"
			if kind.Module() {
				form = "-.->"
			}
			arrow(form, parents[len(parents)-1].Kind)
		}
		for _, reference := range kind.References {
			arrow("-->", reference.To...)
		}
		if alone {
			fmt.Fprintf(&text, "  %s\n", kind.Type)
		}
	}
	return text.String()
}

// unmanaged returns the rows of a table of the objects that attributes refer to
// and that the provider does not manage.
func unmanaged(all []crud.Description) string {
	uses := map[string][]string{} // arguments, by what they name
	for _, kind := range all {
		for _, reference := range kind.References {
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
	}
	var text strings.Builder
	for _, nouns := range slices.Sorted(maps.Keys(uses)) {
		fmt.Fprintf(&text, "| %s | Set their IDs in %s. |\n", nouns, strings.Join(uses[nouns], " and "))
	}
	return text.String()
}
