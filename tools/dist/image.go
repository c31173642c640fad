package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	imageName = "ghcr.io/tunnel-service/" + testServer
	// imageUser is not root, and belongs to nobody on the host: the user of images
	// without a distribution.
	imageUser = 65532
	imageData = "data"
)

// image returns the image of the test server: an OCI layout in a tar file, with
// an index of one image for each Linux platform. The same archives give the
// same bytes.
func (r release) image(dir string) (content []byte, err error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	var modified time.Time
	for _, platform := range r.imagePlatforms() {
		a, err := openArchive(dir, r, testServer, platform)
		if err != nil {
			return nil, err
		}
		image, err := a.image()
		if err != nil {
			return nil, fmt.Errorf("image for %s: %w", platform, err)
		}
		modified = a.modified
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: a.imagePlatform()}})
	}
	temporary, err := os.MkdirTemp("", "tunnel-image-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	path, err := layout.Write(temporary, empty.Index)
	if err != nil {
		return nil, err
	}
	err = path.AppendIndex(index, layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": r.version,
		"io.containerd.image.name":          imageName + ":" + r.version,
	}))
	if err != nil {
		return nil, err
	}
	return tarOf(os.DirFS(temporary), modified)
}

// image returns the image of a program.
func (a *archive) image() (v1.Image, error) {
	content, err := a.layer()
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(
		func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
		tarball.WithMediaType(types.OCILayer),
	)
	if err != nil {
		return nil, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	base, err = mutate.ConfigFile(base, &v1.ConfigFile{
		Created: v1.Time{Time: a.modified.UTC()}, OS: a.imagePlatform().OS, Architecture: a.imagePlatform().Architecture,
		RootFS: v1.RootFS{Type: "layers"},
		Config: v1.Config{
			User: fmt.Sprintf("%d:%d", imageUser, imageUser),
			// In the entrypoint, because arguments of the user replace the command.
			Entrypoint:   []string{"/" + testServer, "-listen", ":8480"},
			ExposedPorts: map[string]struct{}{"8480/tcp": {}},
			Volumes:      map[string]struct{}{"/" + imageData: {}},
			WorkingDir:   "/" + imageData,
			Labels: map[string]string{
				"org.opencontainers.image.title":    testServer,
				"org.opencontainers.image.version":  a.release.version,
				"org.opencontainers.image.licenses": "MPL-2.0",
				"org.opencontainers.image.source":   "https://github.com/tunnel-service/terraform-provider-tunnel",
			},
		},
	})
	if err != nil {
		return nil, err
	}
	return mutate.Append(
		base,
		mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: a.modified.UTC()}, CreatedBy: "make dist"}},
	)
}

func (a *archive) imagePlatform() *v1.Platform {
	system, architecture, _ := strings.Cut(a.platform, "_")
	return &v1.Platform{OS: system, Architecture: architecture}
}

// layer returns the files of an image: the program, its SBOM, the license, and
// the directory for -data.
func (a *archive) layer() ([]byte, error) {
	bom, err := a.bom()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, file := range []struct {
		name    string
		mode    int64
		content []byte
	}{{"LICENSE", 0o644, a.license}, {testServer, 0o755, a.content}, {testServer + ".cdx.json", 0o644, bom}} {
		err := w.WriteHeader(
			&tar.Header{Typeflag: tar.TypeReg, Name: file.name, Mode: file.mode, Size: int64(len(file.content)), ModTime: a.modified},
		)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(file.content); err != nil {
			return nil, err
		}
	}
	err = w.WriteHeader(
		&tar.Header{Typeflag: tar.TypeDir, Name: imageData + "/", Mode: 0o700, Uid: imageUser, Gid: imageUser, ModTime: a.modified},
	)
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// tarOf returns all files of a directory.
func tarOf(files fs.FS, modified time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		err = w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(content)), ModTime: modified})
		if err != nil {
			return err
		}
		_, err = w.Write(content)
		return err
	})
	err = errors.Join(err, w.Close())
	return out.Bytes(), err
}

// checkImage checks that the image is what the archives give.
func (r release) checkImage(dir string) []error {
	content, err := os.ReadFile(filepath.Join(dir, r.imageFile()))
	if err != nil {
		return nil // checkNames says so
	}
	want, err := r.image(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // an archive is missing
	}
	if err != nil {
		return []error{err}
	}
	if !bytes.Equal(content, want) {
		return []error{fmt.Errorf("%s is not the image of the programs in the archives", r.imageFile())}
	}
	return nil
}
