package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
)

var (
	dataLines    = regexp.MustCompile(`(?m)(?:^data "\w+" "\w+" \{\}\n)+`)
	accountLines = regexp.MustCompile(`(?m)^  account = \{\n(?:    .*\n)*`)
)

// guides returns the examples of the guides that list all kinds, by path. They
// keep their texts except for these lists.
func guides(folder string) (map[string]string, error) {
	var query strings.Builder
	for _, kind := range acctest.Kinds {
		fmt.Fprintf(&query, "list %q \"account\" {\n  provider = tunnel\n  limit    = 10000\n}\n\n", kind.Type)
	}
	files := map[string]string{filepath.Join(folder, "query", "account.tfquery.hcl"): strings.TrimSuffix(query.String(), "\n")}
	for guide, lists := range map[string]lists{
		"import": {"account", func(acctest.Kind) bool { return true }, byImportID},
		// A module is deleted together with its parent.
		"orphans": {"all", func(kind acctest.Kind) bool { return kind.Prefix != "" }, objects},
	} {
		path := filepath.Join(folder, guide, "main.tf")
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		data, account := "", "  account = {\n"
		for _, kind := range acctest.Kinds {
			if lists.contain(kind) {
				data += fmt.Sprintf("data %q %q {}\n", kind.TypeOfMany, lists.name)
				account += "    " + kind.Type + " = " + lists.entry(
					"data."+kind.TypeOfMany+"."+lists.name+"."+strings.TrimPrefix(kind.TypeOfMany, "tunnel_"), kind,
				) + "\n"
			}
		}
		text := dataLines.ReplaceAllLiteralString(string(content), data)
		files[path] = hcl("%s", accountLines.ReplaceAllLiteralString(text, account))
	}
	return files, nil
}

// lists are the lists of a guide: the name of its data sources, the kinds, and
// what is written for the objects of one.
type lists struct {
	name    string
	contain func(acctest.Kind) bool
	entry   func(objects string, kind acctest.Kind) string
}

func objects(objects string, _ acctest.Kind) string { return objects }

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
