package testserver

import (
	"strings"
	"testing"
)

// TestFileText_oneMeaning reads every kind of file in the forms in which editors write
// it: with a byte order mark, and with CRLF.
func TestFileText_oneMeaning(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]struct {
		text string
		read func(text []byte) error
	}{
		"seed":    {"[\n  {\"path\": \"/backends/tunnel_group\", \"body\": {\"labels\": {\"a\": \"b\"}}}\n]\n", func(text []byte) error { return New().Seed(text) }},
		"account": {"{\n  \"objects\": []\n}\n", func(text []byte) error { return New().Seed(text) }},
		"rules": {"[\n  {\"behavior\": \"503\"}\n]\n", func(text []byte) error {
			_, err := ParseRules(text)
			return err
		}},
	} {
		windows := strings.ReplaceAll(file.text, "\n", "\r\n")
		for _, text := range []string{file.text, "\ufeff" + file.text, windows, "\ufeff" + windows, strings.TrimSpace(file.text)} {
			if err := file.read([]byte(text)); err != nil {
				t.Errorf("%s %q: %s", name, text, err)
			}
		}
	}
}
