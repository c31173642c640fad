// Schemas prints the provider's schemas in the format of "terraform providers
// schema -json", as input for tfplugindocs. It gets them from the provider
// itself, because older versions of Terraform omit list resources and
// identities.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

func main() {
	if err := print(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "schemas:", err)
		os.Exit(1)
	}
}

func print(ctx context.Context) error {
	server, err := providerserver.NewProtocol6WithError(provider.New("schemas")())()
	if err != nil {
		return err
	}
	schemas, err := schemas(ctx, server)
	if err != nil {
		return err
	}
	if err := addPages(schemas.Schemas[address], "templates"); err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(schemas)
}
