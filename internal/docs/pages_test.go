package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/action"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/function"
)

const pages = "../../docs"

// TestPages_referencePages checks what a reader needs on every reference page: a
// subcategory, an example, links to other pages, the version of Terraform that it
// needs, and for resources a minimal and a realistic example and all forms of an
// import.
func TestPages_referencePages(t *testing.T) {
	t.Parallel()
	count := 0
	subcategory := regexp.MustCompile(`(?m)^subcategory: "(Access|SSH|TLS|Domains|Backends|Edges|Events)"$`)
	title := regexp.MustCompile("(?m)^### ([^\n]+)\n\n```terraform$")
	parent := regexp.MustCompile(`(?m)^ *(edge_id|route_id|subscription_id|ssh_certificate_authority_id|backend_id) *= *"`)
	for _, folder := range []string{"resources", "data-sources", "list-resources", "ephemeral-resources", "actions", "functions"} {
		for name, text := range pagesIn(t, folder) {
			count++
			if !subcategory.MatchString(text) {
				t.Errorf("%s has no subcategory", name)
			}
			if _, links, found := strings.Cut(text, "\n## See also\n"); !found || strings.Count(links, "](../") < 2 {
				t.Errorf("%s has no links to other pages", name)
			}
			if strings.Contains(text, "\x1f") {
				t.Errorf("%s contains a separator", name)
			}
			parts := map[string][]string{
				"resources":           {"### Identity Schema", "identity = {", "terraform import tunnel_", "id = \""},
				"data-sources":        {"### Read-Only"},
				"list-resources":      {"list \"tunnel_", "Terraform 1.14", ".tfquery.hcl", "at most 100 objects"},
				"ephemeral-resources": {"ephemeral \"tunnel_", "Terraform 1.10 or OpenTofu 1.11"},
				"actions":             {"action \"tunnel_", "Terraform 1.14"},
				"functions":           {"## Signature", "provider::tunnel::", "Terraform 1.8 or OpenTofu 1.7"},
			}[folder]
			for _, part := range append(parts, "## Example Usage") {
				if !strings.Contains(text, part) {
					t.Errorf("%s has no %s", name, part)
				}
			}
			if folder == "resources" {
				examples, _, _ := strings.Cut(text, "\n## Schema\n")
				titles := title.FindAllStringSubmatch(examples, -1)
				if len(titles) < 2 || titles[0][1] != "Basic usage" {
					t.Errorf("%s needs the example \"Basic usage\" and another one with a title, and has %v", name, titles)
				}
				if literal := parent.FindString(examples); literal != "" {
					t.Errorf("%s has the literal id of an object that an example can create: %s", name, literal)
				}
			}
		}
	}
	if want := 4*len(acctest.Kinds) + 1 + len(action.All) + len(function.All); count != want {
		t.Errorf("%d pages, want %d", count, want)
	}
}

// TestPages_guidesAreShort keeps the guides few and short.
func TestPages_guidesAreShort(t *testing.T) {
	t.Parallel()
	guides := pagesIn(t, "guides")
	for name, text := range guides {
		if words := len(strings.Fields(text)); words > 1100 || len(guides) > 12 {
			t.Errorf("%s has %d words, and is one of %d guides", name, words, len(guides))
		}
		if strings.Contains(text, "@latest") && !strings.Contains(text, "make build") {
			t.Errorf("%s does not say how to build what is not released", name)
		}
	}
	if lines := strings.Count(readFile(t, "../../README.md"), "\n"); lines > 160 {
		t.Errorf("README.md has %d lines", lines)
	}
}

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	anchor   = regexp.MustCompile(`(?m)^#+ (.*)$|<a id="([^"]+)">`)
	notInURL = regexp.MustCompile("[^a-z0-9 _-]")
	fenced   = regexp.MustCompile("(?s)```.*?```")
)

// TestPages_linksResolve checks the links between the pages, and from other
// documents of the repository to files in it.
func TestPages_linksResolve(t *testing.T) {
	t.Parallel()
	documents := map[string]string{}
	for _, folder := range []string{".", "guides", "resources", "data-sources", "list-resources", "ephemeral-resources", "actions", "functions"} {
		for name, text := range pagesIn(t, folder) {
			documents[filepath.Join(pages, name)] = text
		}
	}
	for _, name := range []string{
		"README.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "testserver/README.md",
		"testserver/docs/languages.md", "testserver/docs/reference.md", "testserver/docs/verify.md",
	} {
		documents[filepath.Join("../..", name)] = readFile(t, filepath.Join("../..", name))
	}
	const repository = "https://github.com/tunnel-service/terraform-provider-tunnel/"
	count := 0
	for name, text := range documents {
		for _, found := range link.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
			target, section, _ := strings.Cut(found[1], "#")
			switch {
			case strings.HasPrefix(target, repository+"blob/main/"), strings.HasPrefix(target, repository+"tree/main/"):
				target = filepath.Join("../..", strings.SplitN(strings.TrimPrefix(target, repository), "/", 3)[2])
			case strings.Contains(target, "://"):
				continue
			case target == "":
				target = name
			default:
				target = filepath.Join(filepath.Dir(name), target)
			}
			count++
			info, err := os.Stat(target)
			if err != nil {
				t.Errorf("%s links to %s, which does not exist", name, found[1])
				continue
			}
			if section != "" && !info.IsDir() && !anchors(readFile(t, target))[section] {
				t.Errorf("%s links to %s, which has no such section", name, found[1])
			}
		}
	}
	if count < 500 {
		t.Errorf("only %d links found", count)
	}
}

// anchors returns the anchors of a Markdown document.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, found := range anchor.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		all[found[2]] = true
		all[strings.ReplaceAll(notInURL.ReplaceAllString(strings.ToLower(found[1]), ""), " ", "-")] = true
	}
	return all
}

// pagesIn returns the pages of a folder by their path in docs.
func pagesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pages, folder, "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages in %s: %v", folder, err)
	}
	found := map[string]string{}
	for _, file := range files {
		found[filepath.Join(folder, filepath.Base(file))] = readFile(t, file)
	}
	return found
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
