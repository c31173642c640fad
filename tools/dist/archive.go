package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An archive is a zip file with one program.
type archive struct {
	release           release
	program, platform string

	files    []string
	times    []time.Time // of the files
	name     string      // of the program's file
	mode     os.FileMode
	modified time.Time
	content  []byte
	license  []byte
	info     *buildinfo.BuildInfo
}

// openArchive reads an archive and the build information of its program.
func openArchive(dir string, r release, program, platform string) (*archive, error) {
	a := &archive{release: r, program: program, platform: platform, name: program}
	if program == provider {
		a.name += "_v" + r.version
	}
	if strings.HasPrefix(platform, "windows_") {
		a.name += ".exe"
	}
	file := r.archive(program, platform)
	reader, err := zip.OpenReader(filepath.Join(dir, file))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	defer reader.Close()
	for _, f := range reader.File {
		a.files = append(a.files, f.Name)
		a.times = append(a.times, f.Modified.UTC())
		content, err := readZipped(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		switch f.Name {
		case a.name:
			a.mode, a.modified, a.content = f.Mode(), f.Modified, content
		case "LICENSE":
			a.license = content
		}
	}
	if a.content == nil {
		return nil, fmt.Errorf("%s has no %s, only %s", file, a.name, strings.Join(a.files, ", "))
	}
	if a.info, err = buildinfo.Read(bytes.NewReader(a.content)); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", file, a.name, err)
	}
	return a, nil
}

func readZipped(f *zip.File) ([]byte, error) {
	content, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return io.ReadAll(content)
}

// setting returns a setting of the build, "" if it was not set.
func (a *archive) setting(key string) string {
	for _, s := range a.info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// check returns what is wrong with the archive.
func (a *archive) check() []error {
	var problems []error
	problem := func(format string, arguments ...any) {
		problems = append(problems, fmt.Errorf(a.release.archive(a.program, a.platform)+": "+format, arguments...))
	}
	slices.Sort(a.files)
	if want := []string{"LICENSE", a.name}; !slices.Equal(a.files, want) {
		problem("has %s, want %s", strings.Join(a.files, ", "), strings.Join(want, ", "))
	}
	if len(slices.Compact(slices.Clone(a.times))) != 1 {
		problem("its files have different times, %v, and not that of the commit", a.times)
	}
	if a.mode.Perm() != 0o755 {
		problem("%s has mode %o, want 755", a.name, a.mode.Perm())
	}
	if platform := a.setting("GOOS") + "_" + a.setting("GOARCH"); platform != a.platform {
		problem("the program is for %s", platform)
	}
	for key, want := range map[string]string{"CGO_ENABLED": "0", "-trimpath": "true"} {
		if got := a.setting(key); got != want {
			problem("built with %s=%s, want %s", key, got, want)
		}
	}
	return problems
}

func checksum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
