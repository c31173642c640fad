package conformance

import (
	"fmt"
	"net/http"
	"strings"
)

// check compares a response with what the document says. It returns nil if they agree.
func (run *Run) check(v testCase, got answer, before map[string]any) *difference {
	if v.status >= http.StatusBadRequest {
		return run.checkRefusal(v, got, before)
	}
	if got.status != v.status {
		return differs(fmt.Sprintf("status %d", v.status), fmt.Sprintf("status %d", got.status))
	}
	if d := kept(v, got, before); d != nil {
		return d
	}
	if v.status != http.StatusNoContent && v.method != http.MethodHead {
		schema := run.responseSchema(v).Ref
		sent, _ := v.body.(map[string]any)
		for _, name := range []string{"description", "metadata", "enabled", "match", "match_type", "body"} {
			if value := sent[name]; value != nil && value != "" && member(got.body, name) != asJSON(value) {
				return differs(fmt.Sprintf("%s as sent, %s", name, cut(asJSON(value))), cut(member(got.body, name)))
			}
		}
		if err := run.config.Document.CheckBody(schema, got.raw); err != nil {
			return differs("a body of the schema "+strings.TrimPrefix(schema, "#/components/schemas/"), err.Error())
		}
	}
	return operationID(got)
}

// checkRefusal is check for a request that should fail.
func (run *Run) checkRefusal(v testCase, got answer, before map[string]any) *difference {
	switch allow := got.header.Get("Allow"); {
	case got.status != v.status:
		return otherwise(fmt.Sprintf("status %d", v.status), fmt.Sprintf("status %d", got.status))
	case got.field() != v.field:
		return otherwise(fmt.Sprintf("details.field %q", v.field), fmt.Sprintf("%q", got.field()))
	case strings.Replace(allow, ", HEAD", "", 1) != v.allow:
		return otherwise(fmt.Sprintf("Allow %q", v.allow), fmt.Sprintf("%q", allow))
	}
	if d := kept(v, got, before); d != nil {
		return d
	}
	if v.method != http.MethodHead {
		if err := run.config.Document.CheckBody("#/components/schemas/Error", got.raw); err != nil {
			return otherwise("a body of the schema Error", err.Error())
		}
	}
	return operationID(got)
}

// kept checks that a response shows what must not change. The documentation does not
// say what an update does to a field that it omits.
func kept(v testCase, got answer, before map[string]any) *difference {
	switch {
	case v.kept == everyField && asJSON(got.body) != asJSON(before):
		return otherwise("that nothing changes", "another object")
	case v.kept != "" && v.kept != everyField && member(got.body, v.kept) != member(before, v.kept):
		return otherwise(fmt.Sprintf("that %s stays %s", v.kept, cut(member(before, v.kept))), cut(member(got.body, v.kept)))
	}
	return nil
}

func operationID(got answer) *difference {
	if got.header.Get("Tunnel-Operation-Id") == "" {
		return otherwise("a header Tunnel-Operation-Id", "none")
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
