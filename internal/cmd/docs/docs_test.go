package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/function"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

// TestDocs_pageForEveryType checks that every type has a page with an example
// and, for resources, all import forms. make docs-check checks that the pages
// are up to date.
func TestDocs_pageForEveryType(t *testing.T) {
	t.Parallel()
	server, err := providerserver.NewProtocol6WithError(provider.New("test")())()
	if err != nil {
		t.Fatal(err)
	}
	declared, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	page := func(folder, name string, parts ...string) {
		t.Helper()
		pages++
		content, err := os.ReadFile(filepath.Join("../../../docs", folder, strings.TrimPrefix(name, "tunnel_")+".md"))
		if err != nil {
			t.Error(err)
			return
		}
		for _, part := range append(parts, "## Example Usage") {
			if !strings.Contains(string(content), part) {
				t.Errorf("%s/%s has no %s", folder, name, part)
			}
		}
	}
	for name := range declared.ResourceSchemas {
		page("resources", name, "### Identity Schema", "identity = {", "terraform import "+name, "id = \"")
	}
	for name := range declared.DataSourceSchemas {
		page("data-sources", name, "### Read-Only")
	}
	for name := range declared.ListResourceSchemas {
		page("list-resources", name, "list \""+name+"\"")
	}
	for name, f := range declared.Functions {
		parts := []string{"## Signature", "provider::tunnel::" + name}
		for _, p := range append(f.Parameters, f.VariadicParameter) {
			if p != nil {
				parts = append(parts, "`"+p.Name+"` (")
			}
		}
		page("functions", name, parts...)
	}
	if want := 4*len(acctest.Kinds) + len(function.All); pages != want {
		t.Errorf("%d pages, want %d", pages, want)
	}
}
