package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

// examples returns the files that follow from the kinds, by path: the import examples of
// each resource, with the resource name in its resource.tf, and the lists of all kinds in
// the guides.
func examples(folder string) (map[string]string, error) {
	files := map[string]string{}
	for _, kind := range acctest.Kinds {
		dir := filepath.Join(folder, "resources", kind.Type)
		content, err := os.ReadFile(filepath.Join(dir, "resource.tf"))
		if err != nil {
			return nil, err
		}
		found := regexp.MustCompile(`(?m)^resource "` + kind.Type + `" "(\w+)"`).FindSubmatch(content)
		if found == nil {
			return nil, fmt.Errorf("%s has no resource %q", filepath.Join(dir, "resource.tf"), kind.Type)
		}
		address, form, identity := kind.Type+"."+string(found[1]), strings.Join(kind.Keys(), "/"), ""
		if form == "id" {
			form = "the ID of the object"
		}
		for _, key := range kind.Keys() {
			identity += fmt.Sprintf("%s = %q\n", key, kind.ExampleKeys()[key])
		}
		note := strings.TrimRight("# Import ID: "+form+". "+kind.ImportNote, " ")
		files[filepath.Join(dir, "import.sh")] = fmt.Sprintf("%s\nterraform import %s %s\n", note, address, kind.Example())
		files[filepath.Join(dir, "import-by-string-id.tf")] = hcl("import {\nto = %s\nid = %q\n}\n", address, kind.Example())
		files[filepath.Join(dir, "import-by-identity.tf")] = hcl("import {\nto = %s\nidentity = {\n%s}\n}\n", address, identity)
	}
	var queries []string
	for _, kind := range acctest.Kinds {
		queries = append(queries, fmt.Sprintf("list %q \"account\" {\n  provider = tunnel\n  limit    = 10000\n}\n", kind.Type))
	}
	files[filepath.Join(folder, "guides", "query", "account.tfquery.hcl")] = strings.Join(queries, "\n")
	for name, entry := range map[string]func(objects string, kind acctest.Kind) string{"account": byImportID, "all": independent} {
		path := filepath.Join(folder, "guides", map[string]string{"account": "import", "all": "orphans"}[name], "main.tf")
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[path] = withLists(string(content), name, entry)
	}
	return files, nil
}

var (
	dataLines    = regexp.MustCompile(`(?m)(?:^data "\w+" "\w+" \{\}\n)+`)
	accountLines = regexp.MustCompile(`(?m)^  account = \{\n(?:    .*\n)*`)
)

// withLists returns a guide's configuration with new data sources of that name, and what
// entry returns for the objects of each.
func withLists(config, name string, entry func(objects string, kind acctest.Kind) string) string {
	data, account := "", "  account = {\n"
	for _, kind := range acctest.Kinds {
		objects := "data." + kind.TypeOfMany + "." + name + "." + strings.TrimPrefix(kind.TypeOfMany, "tunnel_")
		if listed := entry(objects, kind); listed != "" {
			data += fmt.Sprintf("data %q %q {}\n", kind.TypeOfMany, name)
			account += "    " + kind.Type + " = " + listed + "\n"
		}
	}
	return hcl("%s", accountLines.ReplaceAllLiteralString(dataLines.ReplaceAllLiteralString(config, data), account))
}

// independent returns the objects, but none for a module, which is deleted together with
// its parent.
func independent(objects string, kind acctest.Kind) string {
	if kind.Prefix == "" {
		return ""
	}
	return objects
}

func byImportID(objects string, kind acctest.Kind) string {
	keys := kind.Keys()
	if len(keys) == 1 {
		return "{ for o in " + objects + " : o." + keys[0] + " => o... }"
	}
	for i, key := range keys {
		keys[i] = "${o." + key + "}"
	}
	return "{ for o in " + objects + ` : "` + strings.Join(keys, "/") + `" => o... }`
}

func hcl(format string, arguments ...any) string {
	return string(hclwrite.Format(fmt.Appendf(nil, format, arguments...)))
}
