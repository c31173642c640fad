package copy

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// copyFiles copies a directory without what Terraform keeps in it. A link to a file
// becomes a file, and any other is refused, so that nothing that is written into the copy
// leaves it.
func copyFiles(from, to string) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == from {
			return err
		}
		relative, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		skip := entry.Name() == ".terraform" || relative == filepath.Clean(os.Getenv("TF_DATA_DIR")) || slices.Contains(ofState, relative)
		switch {
		case skip && entry.IsDir():
			return filepath.SkipDir
		case skip:
			return nil
		case entry.IsDir():
			return os.Mkdir(target, 0o700)
		case entry.Type()&fs.ModeSymlink != 0:
			if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
				return refused("%q is a link to a folder or to nothing: replace it by what the configuration needs of it", relative)
			}
		case !entry.Type().IsRegular():
			return nil
		}
		return copyFile(name, target)
	})
}

func copyFile(name, target string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(target, content, info.Mode().Perm()&0o700|0o600)
}
