// Docs writes what the docs are generated from. It prints the provider's schemas in the
// format of "terraform providers schema -json", as input for tfplugindocs: older versions
// of Terraform omit list resources and identities. And it writes what the examples
// contain for every kind of object, or with -check, fails if an example is out of date.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/provider"
)

func main() {
	check := flag.Bool("check", false, "only report examples that are out of date")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	schemas, err := schemas(provider.Kinds())
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schemas); err != nil {
		return err
	}
	files, err := examples("examples")
	if err != nil {
		return err
	}
	var failed []error
	for path, content := range files {
		if !check {
			failed = append(failed, os.WriteFile(path, []byte(content), 0o644)) //nolint:gosec // examples are public
		} else if found, err := os.ReadFile(path); err != nil || string(found) != content {
			failed = append(failed, fmt.Errorf("%s is out of date: run make generate and commit the result", path))
		}
	}
	return errors.Join(failed...)
}
