// Examples writes what the examples contain for every kind of object: the import
// examples of each resource, with the resource name in its resource.tf, and the
// lists of all kinds in the guides. With -check, it writes nothing and fails if
// an example is out of date.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

func main() {
	check := flag.Bool("check", false, "only report examples that are out of date")
	flag.Parse()
	if err := run("examples", *check); err != nil {
		fmt.Fprintln(os.Stderr, "examples:", err)
		os.Exit(1)
	}
}

func run(folder string, check bool) error {
	files, err := guides(filepath.Join(folder, "guides"))
	if err != nil {
		return err
	}
	for _, kind := range acctest.Kinds {
		dir := filepath.Join(folder, "resources", kind.Type)
		name, err := resourceName(kind, dir)
		if err != nil {
			return err
		}
		for file, content := range importExamples(kind, name) {
			files[filepath.Join(dir, file)] = content
		}
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

// resourceName returns the name of the first resource in the example of a kind.
func resourceName(kind acctest.Kind, dir string) (string, error) {
	content, err := os.ReadFile(filepath.Join(dir, "resource.tf"))
	if err != nil {
		return "", err
	}
	found := regexp.MustCompile(`(?m)^resource "` + kind.Type + `" "(\w+)"`).FindSubmatch(content)
	if found == nil {
		return "", fmt.Errorf("%s has no resource %q", filepath.Join(dir, "resource.tf"), kind.Type)
	}
	return string(found[1]), nil
}

// importExamples returns the import examples by file name.
func importExamples(kind acctest.Kind, name string) map[string]string {
	address, form := kind.Type+"."+name, strings.Join(kind.Keys(), "/")
	if form == "id" {
		form = "the ID of the object"
	}
	note := ""
	if kind.ImportNote != "" {
		note = " " + kind.ImportNote
	}
	var identity strings.Builder
	for _, key := range kind.Keys() {
		fmt.Fprintf(&identity, "%s = %q\n", key, kind.ExampleKeys()[key])
	}
	return map[string]string{
		"import.sh":              fmt.Sprintf("# Import ID: %s.%s\nterraform import %s %s\n", form, note, address, kind.Example()),
		"import-by-string-id.tf": hcl("import {\nto = %s\nid = %q\n}\n", address, kind.Example()),
		"import-by-identity.tf":  hcl("import {\nto = %s\nidentity = {\n%s}\n}\n", address, identity.String()),
	}
}

func hcl(format string, arguments ...any) string {
	return string(hclwrite.Format(fmt.Appendf(nil, format, arguments...)))
}
