package conformance

import (
	"fmt"
	"net/http"
	"strings"
)

// check compares a response with what the document says. It returns nil if they agree.
func (run *Run) check(v testCase, got answer, before map[string]any) *difference {
	header := func(name string) string { return got.header.Get(name) }
	switch {
	case got.status != v.status:
		return &difference{fmt.Sprintf("status %d", v.status), fmt.Sprintf("status %d", got.status)}
	case got.field() != v.field:
		return &difference{fmt.Sprintf("details.field %q", v.field), fmt.Sprintf("%q", got.field())}
	case header("Allow") != v.allow:
		return &difference{fmt.Sprintf("Allow %q", v.allow), fmt.Sprintf("%q", header("Allow"))}
	case header("Tunnel-Operation-Id") == "":
		return &difference{"a header Tunnel-Operation-Id", "none"}
	case v.status == http.StatusNoContent, v.method == http.MethodHead:
		return nil
	case v.kept == everyField && asJSON(got.body) != asJSON(before):
		return &difference{"that nothing changes", "another object"}
	case v.kept != "" && v.kept != everyField && member(got.body, v.kept) != member(before, v.kept):
		return &difference{fmt.Sprintf("that %s stays %s", v.kept, cut(member(before, v.kept))), cut(member(got.body, v.kept))}
	}
	schema := "#/components/schemas/Error"
	if v.status < http.StatusBadRequest {
		schema = run.responseSchema(v).Ref
		sent, _ := v.body.(map[string]any)
		for _, name := range []string{"description", "metadata", "enabled", "match", "match_type", "body"} {
			if value := sent[name]; value != nil && value != "" && member(got.body, name) != asJSON(value) {
				return &difference{fmt.Sprintf("%s as sent, %s", name, cut(asJSON(value))), cut(member(got.body, name))}
			}
		}
	}
	if err := run.config.Document.CheckBody(schema, got.raw); err != nil {
		return &difference{"a body of the schema " + strings.TrimPrefix(schema, "#/components/schemas/"), err.Error()}
	}
	return nil
}

// cut shortens a text for a message.
func cut(text string) string {
	const longest = 60
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
