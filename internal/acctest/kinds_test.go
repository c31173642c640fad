package acctest_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver"
)

func TestKinds_matchSchemas(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := acctest.NewProtocol(t)
	identities, err := p.GetResourceIdentitySchemas(t.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		t.Fatal(err)
	}
	all, sources, lists := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, kind := range acctest.Kinds {
		all[kind.Type], sources[kind.Type], sources[kind.TypeOfMany], lists[kind.Type] = true, true, true, true
		identity := identities.IdentitySchemas[kind.Type]
		if identity == nil {
			continue // reported below as a difference
		}
		var keys []string
		for _, key := range identity.IdentityAttributes {
			keys = append(keys, key.Name)
		}
		if diff := cmp.Diff(slices.Sorted(slices.Values(keys)), slices.Sorted(slices.Values(kind.Keys()))); diff != "" {
			t.Errorf("%s: identity keys (-schema +table):\n%s", kind.Type, diff)
		}
		if parts := strings.Count(kind.Example(), "/") + 1; parts != len(keys) {
			t.Errorf("%s: the example %s has %d parts, want %d", kind.Type, kind.Example(), parts, len(keys))
		}
		if !strings.Contains(parameters.ReplaceAllString(string(testserver.OpenAPI), "{}"), "\n  "+parameters.ReplaceAllString(kind.ObjectPath(), "{}")+":\n") {
			t.Fatalf("testserver/openapi.yaml has no %s: add the kind to the test server first, see CONTRIBUTING.md", kind.ObjectPath())
		}
		body := kind.Body(t, w)
		for _, attribute := range p.Schema.ResourceSchemas[kind.Type].Block.Attributes {
			if _, set := body[attribute.Name]; attribute.Required && !set && !slices.Contains(keys, attribute.Name) {
				t.Errorf("%s requires %s, which its sample does not set: add it to the body in internal/acctest/samples.go", kind.Type, attribute.Name)
			}
		}
	}
	for what, names := range map[string][2]map[string]bool{
		"resources":      {names(p.Schema.ResourceSchemas), all},
		"data sources":   {names(p.Schema.DataSourceSchemas), sources},
		"list resources": {names(p.Schema.ListResourceSchemas), lists},
	} {
		if diff := cmp.Diff(names[0], names[1]); diff != "" {
			t.Errorf("%s (-provider +table):\n%s", what, diff)
		}
	}
}

var parameters = regexp.MustCompile(`\{\w+\}`)

func names[T any](schemas map[string]T) map[string]bool {
	found := map[string]bool{}
	for name := range schemas {
		found[name] = true
	}
	return found
}
