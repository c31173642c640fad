package main

import (
	"bytes"
	"runtime/debug"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// bom lists the modules in the program of an archive, as CycloneDX. The same
// archive gives the same bytes: the time is that of the program, and there is
// no serial number.
func (a *archive) bom() ([]byte, error) {
	root := a.info.Main.Path
	main := cdx.Component{
		BOMRef: a.program, Type: cdx.ComponentTypeApplication, Name: a.program, Version: a.release.version,
		PackageURL: packageURL(root, "v"+a.release.version),
		Hashes:     &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: checksum(a.content)}},
		Properties: &[]cdx.Property{{Name: "goos", Value: a.setting("GOOS")}, {Name: "goarch", Value: a.setting("GOARCH")}},
	}
	components := []cdx.Component{library("std", strings.TrimPrefix(a.info.GoVersion, "go"))}
	for _, module := range a.info.Deps {
		components = append(components, library(used(module).Path, used(module).Version))
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Timestamp: a.modified.UTC().Format(time.RFC3339), Component: &main}
	bom.Components = &components
	var out bytes.Buffer
	if err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// used returns the module that was built: a replacement, if there is one.
func used(module *debug.Module) *debug.Module {
	if module.Replace != nil {
		return module.Replace
	}
	return module
}

func library(path, version string) cdx.Component {
	url := packageURL(path, version)
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: path, Version: version, PackageURL: url}
}

func packageURL(path, version string) string {
	return "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B") // v4.0.4+incompatible
}
