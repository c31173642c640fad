package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/crud"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// A page is what else the pages of a resource type or a function link to.
type page struct {
	guides    []string // file names in templates/guides
	functions []string
}

const (
	rotating, keys = "rotating-certificates", "private-keys"
	importing      = "importing-an-account"
	policies       = "testing-policies"
	testedModules  = "testing-modules"
)

var pages = map[string]page{
	"tunnel_ssh_certificate_authority": {[]string{rotating}, []string{"known_hosts_line"}},
	"tunnel_ssh_host_certificate":      {[]string{rotating}, []string{"known_hosts_line", "ssh_certificate"}},
	"tunnel_ssh_credential":            {[]string{"getting-started", testedModules}, []string{"ssh_fingerprint", "acl_allows"}},
	"tunnel_api_key":                   {[]string{keys}, []string{"decrypt_token"}},
	"tunnel_tls_certificate":           {[]string{keys, rotating}, []string{"certificate_covers"}},
	"tunnel_reserved_domain":           {[]string{rotating}, []string{"certificate_covers"}},
	"tunnel_group_backend":             {[]string{"getting-started"}, nil},
	"tunnel_tls_edge_policy":           {[]string{policies}, []string{"policy_decision", "policy_rules"}},
	"tunnel_tcp_edge_policy":           {[]string{policies}, []string{"policy_decision", "policy_rules"}},

	"certificate_covers": {[]string{rotating}, nil},
	"acl_allows":         {[]string{testedModules}, nil},
	"decrypt_token":      {[]string{keys}, nil},

	"known_hosts_line": {[]string{rotating}, []string{"ssh_certificate", "ssh_fingerprint"}},
	"ssh_certificate":  {[]string{rotating}, []string{"known_hosts_line", "ssh_fingerprint"}},
	"policy_decision":  {[]string{policies}, []string{"policy_rules"}},
	"policy_rules":     {[]string{policies}, []string{"policy_decision"}},
	"ssh_fingerprint":  {nil, []string{"known_hosts_line", "ssh_certificate"}},
}

// separator separates the parts of a description that the templates split:
// description, subcategory, links.
const separator = "\x1f"

// addPages adds the subcategory and the links of each page to the descriptions
// that the templates get, and the diagram to that of the provider. Templates
// have no other input.
func addPages(s *tfjson.ProviderSchema, templates string) error {
	titles, err := guideTitles(templates)
	if err != nil {
		return err
	}
	all := provider.Kinds()
	s.ConfigSchema.Block.Description += separator + diagram(all) + separator + unmanaged(all)
	for _, kind := range all {
		add := func(folder, name string, to *tfjson.Schema) {
			to.Block.Description += separator + kind.Subcategory + separator + linksOf(kind, all, folder, name, titles)
		}
		add("resources", kind.Type, s.ResourceSchemas[kind.Type])
		add("data-sources", kind.Type, s.DataSourceSchemas[kind.Type])
		add("data-sources", kind.TypeOfMany, s.DataSourceSchemas[kind.TypeOfMany])
		add("list-resources", kind.Type, s.ListResourceSchemas[kind.Type])
	}
	for name, function := range s.Functions {
		subcategory := ""
		var resources []string
		for _, kind := range all {
			if slices.Contains(pages[kind.Type].functions, name) {
				subcategory = kind.Subcategory
				resources = append(resources, link("resources", kind.Type))
			}
		}
		if subcategory == "" {
			return fmt.Errorf("the table of pages in internal/cmd/schemas/pages.go has no resource with the function %s: add it to one", name)
		}
		function.Description += separator + subcategory + separator + lines(
			line{"Guides", guides(name, titles)}, line{"Resources", resources}, line{"Functions", links("functions", pages[name].functions)})
	}
	return nil
}

// linksOf returns a list of links from a page of a kind to the guides, to the
// other pages of the kind, and to the kinds that it refers to or that refer to
// it.
func linksOf(kind crud.Description, all []crud.Description, folder, name string, titles map[string]string) string {
	var related []string
	for _, other := range all {
		if other.Kind != kind.Kind && (kind.RefersTo(other.Kind) || other.RefersTo(kind.Kind)) {
			related = append(related, other.Type)
		}
	}
	of := guides(kind.Type, titles)
	if folder == "list-resources" {
		of = append(of, guideLink(importing, titles))
	}
	without := func(folders, names string) []string { // this page
		if folders == folder && names == name {
			return nil
		}
		return []string{link(folders, names)}
	}
	return lines(
		line{"Guides", of},
		line{"Resource", without("resources", kind.Type)},
		line{"Data sources", append(without("data-sources", kind.Type), without("data-sources", kind.TypeOfMany)...)},
		line{"List resource", without("list-resources", kind.Type)},
		line{"Related resources", links("resources", related)},
		line{"Functions", links("functions", pages[kind.Type].functions)},
	)
}

type line struct {
	label string
	links []string
}

func lines(all ...line) string {
	var text strings.Builder
	for _, line := range all {
		if len(line.links) > 0 {
			fmt.Fprintf(&text, "- %s: %s\n", line.label, strings.Join(line.links, ", "))
		}
	}
	return text.String()
}

func link(folder, name string) string {
	return fmt.Sprintf("[`%s`](../%s/%s.md)", name, folder, strings.TrimPrefix(name, "tunnel_"))
}

func links(folder string, names []string) (all []string) {
	for _, name := range names {
		all = append(all, link(folder, name))
	}
	return all
}

func guides(of string, titles map[string]string) (all []string) {
	for _, guide := range pages[of].guides {
		all = append(all, guideLink(guide, titles))
	}
	return all
}

func guideLink(guide string, titles map[string]string) string {
	return fmt.Sprintf("[%s](../guides/%s.md)", titles[guide], guide)
}

var pageTitle = regexp.MustCompile(`(?m)^page_title: "(.*)"$`)

// guideTitles returns the titles of the guides by file name.
func guideTitles(templates string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(templates, "guides", "*.md.tmpl"))
	if err != nil {
		return nil, err
	}
	titles := map[string]string{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if found := pageTitle.FindSubmatch(content); found != nil {
			titles[strings.TrimSuffix(filepath.Base(file), ".md.tmpl")] = string(found[1])
		}
	}
	return titles, nil
}
