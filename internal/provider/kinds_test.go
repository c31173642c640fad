package provider

import (
	"os"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/provider"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/api"
)

// The description is the first sentence of the index page and of the README.
func TestProvider_descriptionNamesAllObjects(t *testing.T) {
	t.Parallel()
	var block provider.SchemaResponse
	(&tunnel{}).Schema(t.Context(), provider.SchemaRequest{}, &block)
	for name := range resources() {
		noun := name[strings.LastIndex(name, "_")+1:]
		if text := block.Schema.Description; !strings.Contains(text, noun) && !strings.Contains(text, api.Plural(noun)) {
			t.Errorf("the description of the provider in provider.go does not name %s", name)
		}
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(strings.Fields(string(readme)), " "), block.Schema.Description) {
		t.Errorf("README.md does not begin with the description of the provider in provider.go: %s", block.Schema.Description)
	}
}
