package internal_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const commentWidth = 90 // columns; a tab takes 4

// TestComments_fitTheWidth checks lines that contain only a comment. golangci-lint
// checks the other lines.
func TestComments_fitTheWidth(t *testing.T) {
	t.Parallel()
	seen := 0
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_gen.go") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			comment := strings.TrimLeft(line, "\t")
			if !strings.HasPrefix(comment, "// ") || strings.HasPrefix(comment, "// Output:") || strings.Contains(comment, "://") {
				continue
			}
			seen++
			if width := len([]rune(comment)) + 4*(len(line)-len(comment)); width > commentWidth {
				t.Errorf("%s:%d: the comment has %d columns; wrap it at %d", file, i+1, width, commentWidth)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 1000 {
		t.Errorf("only %d comments were found: the test looks in the wrong place", seen)
	}
}
