package crud

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzImportID_split splits import ids. If an id is accepted, none of its parts
// is empty, and joining them returns the id.
func FuzzImportID_split(f *testing.F) {
	for _, id := range []string{"", "cert_1", "a/b", "a//b", "/", "a/b/c", "a /b", "a\n/b", "a\x00/b", "%2f/..", "../..", "é/ü", "\xff/\xfe", strings.Repeat("a/", 1000)} {
		f.Add(id)
	}
	forms := []importForm{
		{[]string{"id"}, []string{"cert_2abc"}}, {[]string{"edge_id", "route_id"}, []string{"edghts_2abc", "edghtsrt_2abc"}},
	}
	f.Fuzz(func(t *testing.T, id string) {
		for _, form := range forms {
			parts, err := splitImportID(id, form)
			if err != nil {
				if text := err.Error(); !strings.Contains(text, form.String()) || !utf8.ValidString(text) {
					t.Errorf("%q: %s", id, text)
				}
				continue
			}
			if len(parts) != len(form.names) || strings.Join(parts, "/") != id {
				t.Errorf("%q became %q", id, parts)
			}
			for _, part := range parts {
				if part == "" || strings.ContainsAny(part, " \t\r\n\x00") {
					t.Errorf("%q has the part %q", id, part)
				}
			}
		}
	})
}
