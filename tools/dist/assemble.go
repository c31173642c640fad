package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
)

// assemble writes all files of a release: the archives and checksums of
// GoReleaser, the manifest, SBOMs, the image, the checksums of those, and
// signatures.
func assemble(from, to, manifest string, key *openpgp.Entity, platforms []string) error {
	r, err := findRelease(from, platforms)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := copyFile(manifest, filepath.Join(to, r.manifest())); err != nil {
		return err
	}
	for _, program := range []string{provider, testServer} {
		for _, platform := range platforms {
			file := r.archive(program, platform)
			if err := copyFile(filepath.Join(from, file), filepath.Join(to, file)); err != nil {
				return err
			}
			a, err := openArchive(to, r, program, platform)
			if err != nil {
				return err
			}
			bom, err := a.bom()
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(to, r.sbom(program, platform)), bom, 0o644); err != nil {
				return err
			}
		}
	}
	image, err := r.image(to)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, r.imageFile()), image, 0o644); err != nil {
		return err
	}
	extraSums, err := sumsOf(to, r.extras())
	if err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(from, r.sums()))
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{r.sums(): sums, r.extraSums(): extraSums} {
		signature, err := sign(key, content)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), content, 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name+".sig"), signature, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sumsOf returns the checksums of files, as sha256sum writes them.
func sumsOf(dir string, names []string) ([]byte, error) {
	var lines strings.Builder
	for _, name := range slices.Sorted(slices.Values(names)) {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&lines, "%s  %s\n", checksum(content), name)
	}
	return []byte(lines.String()), nil
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}
