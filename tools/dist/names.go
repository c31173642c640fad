package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// The programs of a release.
const (
	provider   = "terraform-provider-tunnel"
	testServer = "tunnel-testserver"
)

// allPlatforms are what a release is built for.
var allPlatforms = []string{"darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64", "windows_amd64", "windows_arm64"}

// A release knows the names of its files.
type release struct {
	version   string
	platforms []string
}

// findRelease returns the release whose file of sums is in a directory.
func findRelease(dir string, platforms []string) (release, error) {
	found, err := filepath.Glob(filepath.Join(dir, provider+"_*_SHA256SUMS"))
	if err != nil {
		return release{}, err
	}
	if len(found) != 1 {
		return release{}, fmt.Errorf("%s has %d files %s_VERSION_SHA256SUMS, want one", dir, len(found), provider)
	}
	r := release{platforms: platforms}
	r.version = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(found[0]), provider+"_"), "_SHA256SUMS")
	if v := "v" + r.version; semver.Canonical(v) != v {
		return release{}, fmt.Errorf("version %q is not MAJOR.MINOR.PATCH or MAJOR.MINOR.PATCH-PRERELEASE", r.version)
	}
	return r, nil
}

func (r release) name(program, end string) string { return program + "_" + r.version + "_" + end }

func (r release) archive(program, platform string) string { return r.name(program, platform+".zip") }
func (r release) sbom(program, platform string) string    { return r.name(program, platform+".cdx.json") }
func (r release) manifest() string                        { return r.name(provider, "manifest.json") }
func (r release) imageFile() string                       { return r.name(testServer, "oci.tar") }

// imagePlatforms returns the platforms of the image.
func (r release) imagePlatforms() []string {
	return slices.DeleteFunc(slices.Clone(r.platforms), func(platform string) bool { return !strings.HasPrefix(platform, "linux_") })
}

// sums lists what registries read.
func (r release) sums() string { return r.name(provider, "SHA256SUMS") }

// extraSums lists everything else. Its name does not end in SHA256SUMS, so that
// no registry takes it for the other one.
func (r release) extraSums() string { return r.name("tunnel-extras", "checksums.txt") }

// forRegistries returns the names that sums lists.
func (r release) forRegistries() []string {
	names := []string{r.manifest()}
	for _, platform := range r.platforms {
		names = append(names, r.archive(provider, platform))
	}
	slices.Sort(names)
	return names
}

// extras returns the names that extraSums lists.
func (r release) extras() []string {
	names := []string{r.imageFile()}
	for _, platform := range r.platforms {
		names = append(names, r.archive(testServer, platform), r.sbom(provider, platform), r.sbom(testServer, platform))
	}
	slices.Sort(names)
	return names
}

// files returns the names of all files of the release.
func (r release) files() []string {
	names := slices.Concat(r.forRegistries(), r.extras(),
		[]string{r.sums(), r.sums() + ".sig", r.extraSums(), r.extraSums() + ".sig"})
	slices.Sort(names)
	return names
}
