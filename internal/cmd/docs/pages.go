package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
)

// linked is what else the pages of a resource type link to: guides, by their file names
// in templates/guides, and functions. Pages of functions link back.
var linked = map[string]struct{ guides, functions []string }{
	"tunnel_ssh_certificate_authority": {[]string{rotating}, []string{"known_hosts_line"}},
	"tunnel_ssh_host_certificate":      {[]string{rotating}, []string{"known_hosts_line", "ssh_certificate"}},
	"tunnel_ssh_credential":            {[]string{"getting-started", testing}, []string{"ssh_fingerprint", "acl_allows"}},
	"tunnel_api_key":                   {[]string{keys}, []string{"decrypt_token"}},
	"tunnel_tls_certificate":           {[]string{keys, rotating}, []string{"certificate_covers"}},
	"tunnel_reserved_domain":           {[]string{rotating}, []string{"certificate_covers"}},
	"tunnel_group_backend":             {[]string{"getting-started"}, nil},
	"tunnel_tls_edge_policy":           {[]string{testing}, []string{"policy_decision", "policy_rules"}},
	"tunnel_tcp_edge_policy":           {[]string{testing}, []string{"policy_decision", "policy_rules"}},
}

const (
	rotating, keys = "rotating-certificates", "private-keys"
	importing      = "importing-an-account"
	testing        = "testing"
)

// separator separates the parts of a description that the templates split:
// description, subcategory, links.
const separator = "\x1f"

// pageOfKind returns subcategory and links of a page of a kind: to the guides, to the
// other pages of the kind, and to the kinds that it refers to or that refer to it.
func pageOfKind(all []crud.Description, ephemeral map[string]*tfprotov6.Schema, folder, name string) string {
	kind := all[slices.IndexFunc(all, func(k crud.Description) bool { return k.Type == name || k.TypeOfMany == name })]
	var related []string
	for _, other := range all {
		if other.Kind != kind.Kind && (kind.RefersTo(other.Kind) || other.RefersTo(kind.Kind)) {
			related = append(related, other.Type)
		}
	}
	guides := linked[kind.Type].guides
	if folder == "list-resources" {
		guides = slices.Concat(guides, []string{importing})
	}
	without := func(folders string, names ...string) []string { // this page
		return links(folders, slices.DeleteFunc(names, func(n string) bool { return folders == folder && n == name }))
	}
	var temporary []string
	if ephemeral[kind.Type] != nil {
		temporary = without("ephemeral-resources", kind.Type)
	}
	return separator + kind.Subcategory + separator +
		line("Guides", guideLinks(guides)) +
		line("Resource", without("resources", kind.Type)) +
		line("Data sources", without("data-sources", kind.Type, kind.TypeOfMany)) +
		line("List resource", without("list-resources", kind.Type)) +
		line("Ephemeral resource", temporary) +
		line("Actions", actionsOf(kind.Type)) +
		line("Related resources", links("resources", related)) +
		line("Functions", links("functions", linked[kind.Type].functions))
}

// actions are the types of the objects that actions wait for.
var actions = map[string]string{"tunnel_wait_for_certificate": "tunnel_reserved_domain", "tunnel_wait_for_tunnels": "tunnel_group_backend"}

// pageOfAction returns the same for an action.
func pageOfAction(all []crud.Description, name string) string {
	kind := all[slices.IndexFunc(all, func(k crud.Description) bool { return k.Type == actions[name] })]
	return separator + kind.Subcategory + separator +
		line("Guides", guideLinks(linked[kind.Type].guides)) +
		line("Resource", links("resources", []string{kind.Type})) +
		line("Data sources", links("data-sources", []string{kind.Type, kind.TypeOfMany}))
}

// pageOfFunction returns the same for a function: what its resources have.
func pageOfFunction(all []crud.Description, name string) (string, error) {
	subcategory := ""
	var guides, resources, functions []string
	for _, kind := range all {
		if to := linked[kind.Type]; slices.Contains(to.functions, name) {
			subcategory, resources = kind.Subcategory, append(resources, kind.Type)
			guides, functions = append(guides, to.guides...), append(functions, to.functions...)
		}
	}
	if subcategory == "" {
		return "", fmt.Errorf("the table of pages in internal/cmd/docs/pages.go has no resource with the function %s: add it to one", name)
	}
	functions = slices.DeleteFunc(sorted(functions), func(other string) bool { return other == name })
	return separator + subcategory + separator +
		line("Guides", guideLinks(sorted(guides))) +
		line("Resources", links("resources", resources)) +
		line("Functions", links("functions", functions)), nil
}

func actionsOf(kind string) (all []string) {
	for name, of := range actions {
		if of == kind {
			all = append(all, links("actions", []string{name})...)
		}
	}
	return sorted(all)
}

func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

func line(label string, links []string) string {
	if len(links) == 0 {
		return ""
	}
	return fmt.Sprintf("- %s: %s\n", label, strings.Join(links, ", "))
}

func links(folder string, names []string) (all []string) {
	for _, name := range names {
		all = append(all, fmt.Sprintf("[`%s`](../%s/%s.md)", name, folder, strings.TrimPrefix(name, "tunnel_")))
	}
	return all
}

var pageTitle = regexp.MustCompile(`(?m)^page_title: "(.*)"$`)

// guideLinks returns links to guides, with the titles that they have.
func guideLinks(names []string) (all []string) {
	for _, name := range names {
		content, err := os.ReadFile("templates/guides/" + name + ".md.tmpl")
		if err != nil {
			panic(err) // the table names another file
		}
		all = append(all, fmt.Sprintf("[%s](../guides/%s.md)", pageTitle.FindSubmatch(content)[1], name))
	}
	return all
}
