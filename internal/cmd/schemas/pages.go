package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// A page is the place of a resource type or function in the docs. It also
// applies to the data sources and the list resource of the type.
type page struct {
	subcategory string
	guides      []string // file names in templates/guides
	related     []string // other resource types
	functions   []string
}

const (
	rotating, keys = "rotating-certificates", "private-keys"
	importing      = "importing-an-account"
	policies       = "testing-policies"
)

var pages = map[string]page{
	"tunnel_ssh_certificate_authority": {"SSH", []string{rotating}, []string{"tunnel_ssh_host_certificate"}, []string{"known_hosts_line"}},
	"tunnel_ssh_host_certificate":      {"SSH", []string{rotating}, []string{"tunnel_ssh_certificate_authority"}, []string{"known_hosts_line", "ssh_certificate"}},
	"tunnel_ssh_credential":            {"SSH", []string{"getting-started"}, []string{"tunnel_group_backend"}, []string{"ssh_fingerprint"}},
	"tunnel_tls_certificate":           {"TLS", []string{keys, rotating}, []string{"tunnel_reserved_domain"}, nil},

	"tunnel_reserved_domain":  {"Domains", []string{rotating}, []string{"tunnel_tls_certificate", "tunnel_tls_edge", "tunnel_https_edge"}, nil},
	"tunnel_reserved_address": {"Domains", nil, []string{"tunnel_tcp_edge"}, nil},

	"tunnel_group_backend":         {"Backends", []string{"getting-started"}, append([]string{"tunnel_failover_backend", "tunnel_ssh_credential"}, users...), nil},
	"tunnel_failover_backend":      {"Backends", nil, append([]string{"tunnel_group_backend", "tunnel_http_response_backend"}, users...), nil},
	"tunnel_http_response_backend": {"Backends", nil, append([]string{"tunnel_failover_backend"}, users...), nil},

	"tunnel_tls_edge":         {"Edges", nil, []string{"tunnel_reserved_domain", "tunnel_tls_edge_backend", "tunnel_tls_edge_policy"}, nil},
	"tunnel_tls_edge_backend": {"Edges", nil, append([]string{"tunnel_tls_edge", "tunnel_tls_edge_policy"}, backends...), nil},
	"tunnel_tls_edge_policy":  {"Edges", []string{policies}, []string{"tunnel_tls_edge", "tunnel_tls_edge_backend"}, []string{"policy_decision"}},
	"tunnel_tcp_edge":         {"Edges", nil, []string{"tunnel_reserved_address", "tunnel_tcp_edge_backend", "tunnel_tcp_edge_policy"}, nil},
	"tunnel_tcp_edge_backend": {"Edges", nil, append([]string{"tunnel_tcp_edge", "tunnel_tcp_edge_policy"}, backends...), nil},
	"tunnel_tcp_edge_policy":  {"Edges", []string{policies}, []string{"tunnel_tcp_edge", "tunnel_tcp_edge_backend"}, []string{"policy_decision"}},

	"tunnel_https_edge":                               {"Edges", nil, []string{"tunnel_reserved_domain", "tunnel_https_edge_route"}, nil},
	"tunnel_https_edge_route":                         {"Edges", nil, append([]string{"tunnel_https_edge"}, modules...), nil},
	"tunnel_https_edge_route_backend":                 {"Edges", nil, append([]string{"tunnel_https_edge_route"}, backends...), nil},
	"tunnel_https_edge_route_compression":             {"Edges", nil, []string{"tunnel_https_edge_route", "tunnel_https_edge_route_backend"}, nil},
	"tunnel_https_edge_route_websocket_tcp_converter": {"Edges", nil, []string{"tunnel_https_edge_route", "tunnel_https_edge_route_backend"}, nil},

	"tunnel_event_subscription": {"Events", nil, []string{"tunnel_event_source"}, nil},
	"tunnel_event_source":       {"Events", nil, []string{"tunnel_event_subscription"}, nil},

	"known_hosts_line": {"SSH", []string{rotating}, []string{"tunnel_ssh_certificate_authority"}, []string{"ssh_certificate", "ssh_fingerprint"}},
	"ssh_certificate":  {"SSH", []string{rotating}, []string{"tunnel_ssh_host_certificate"}, []string{"known_hosts_line", "ssh_fingerprint"}},
	"policy_decision":  {"Edges", []string{policies}, []string{"tunnel_tls_edge_policy", "tunnel_tcp_edge_policy"}, nil},
	"ssh_fingerprint":  {"SSH", nil, []string{"tunnel_ssh_credential"}, []string{"known_hosts_line", "ssh_certificate"}},
}

var (
	users    = []string{"tunnel_tls_edge_backend", "tunnel_tcp_edge_backend", "tunnel_https_edge_route_backend"}
	backends = []string{"tunnel_group_backend", "tunnel_failover_backend", "tunnel_http_response_backend"}
	modules  = []string{"tunnel_https_edge_route_backend", "tunnel_https_edge_route_compression", "tunnel_https_edge_route_websocket_tcp_converter"}
)

// separator separates the parts of a description that the templates split:
// description, subcategory, links.
const separator = "\x1f"

// addPages adds the subcategory and the links of each page to the descriptions
// that the templates get. Templates have no other input.
func addPages(s *tfjson.ProviderSchema, templates string) error {
	title, err := guideTitles(templates)
	if err != nil {
		return err
	}
	add := func(folder, name, of string, description *string) {
		p, ok := pages[of]
		if !ok {
			err = fmt.Errorf("the table of pages has no %s", of)
			return
		}
		*description += separator + p.subcategory + separator + p.links(folder, name, of, title)
	}
	for _, kind := range acctest.Kinds {
		add("resources", kind.Type, kind.Type, &s.ResourceSchemas[kind.Type].Block.Description)
		add("data-sources", kind.Type, kind.Type, &s.DataSourceSchemas[kind.Type].Block.Description)
		add("data-sources", kind.TypeOfMany, kind.Type, &s.DataSourceSchemas[kind.TypeOfMany].Block.Description)
		add("list-resources", kind.Type, kind.Type, &s.ListResourceSchemas[kind.Type].Block.Description)
	}
	for name, function := range s.Functions {
		add("functions", name, name, &function.Description)
	}
	return err
}

// links returns a list of links to the guides, to the other pages of the same
// type, and to related types.
func (p page) links(folder, name, of string, title map[string]string) string {
	var text strings.Builder
	line := func(label string, links []string) {
		if links = slices.DeleteFunc(links, func(link string) bool { return link == "" }); len(links) > 0 {
			fmt.Fprintf(&text, "- %s: %s\n", label, strings.Join(links, ", "))
		}
	}
	link := func(to, page string) string {
		if to == folder && page == name {
			return "" // this page
		}
		return fmt.Sprintf("[`%s`](../%s/%s.md)", page, to, strings.TrimPrefix(page, "tunnel_"))
	}
	each := func(to string, names []string) (all []string) {
		for _, name := range names {
			all = append(all, link(to, name))
		}
		return all
	}
	var guides []string
	for _, guide := range p.guides {
		guides = append(guides, fmt.Sprintf("[%s](../guides/%s.md)", title[guide], guide))
	}
	if folder == "list-resources" {
		guides = append(guides, fmt.Sprintf("[%s](../guides/%s.md)", title[importing], importing))
	}
	line("Guides", guides)
	if index := slices.IndexFunc(acctest.Kinds, func(k acctest.Kind) bool { return k.Type == of }); index >= 0 {
		line("Resource", []string{link("resources", of)})
		line("Data sources", []string{link("data-sources", of), link("data-sources", acctest.Kinds[index].TypeOfMany)})
		line("List resource", []string{link("list-resources", of)})
		line("Related resources", each("resources", p.related))
	} else {
		line("Resources", each("resources", p.related))
	}
	line("Functions", each("functions", p.functions))
	return text.String()
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
