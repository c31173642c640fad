package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// check compares a response with what the document says. It returns nil if they agree.
func (run *Run) check(v testCase, got answer, before map[string]any) *difference {
	if v.status >= http.StatusBadRequest {
		return run.checkRefusal(v, got, before)
	}
	if isRefused := got.status == http.StatusBadRequest || got.status == http.StatusUnprocessableEntity; isRefused && v.mayRefuse {
		return otherwise(fmt.Sprintf("status %d", v.status), fmt.Sprintf("status %d", got.status))
	}
	if got.status != v.status {
		return differs(fmt.Sprintf("status %d", v.status), fmt.Sprintf("status %d", got.status))
	}
	if d := kept(v, got, before); d != nil {
		return d
	}
	if v.status != http.StatusNoContent && v.method != http.MethodHead {
		schema := run.responseSchema(v).Ref
		if err := run.config.Document.CheckBody(schema, got.raw); err != nil {
			return differs("a body of the schema "+strings.TrimPrefix(schema, "#/components/schemas/"), err.Error())
		}
		return run.shows(v, got.body)
	}
	return nil
}

// checkRefusal is check for a request that should fail.
func (run *Run) checkRefusal(v testCase, got answer, before map[string]any) *difference {
	aboutRights := v.status == http.StatusUnauthorized || v.status == http.StatusForbidden
	switch allow := got.header.Get("Allow"); {
	case got.status < http.StatusBadRequest && aboutRights:
		return differs(fmt.Sprintf("status %d, because the key has no such right", v.status), fmt.Sprintf("status %d", got.status))
	case got.status != v.status:
		return otherwise(fmt.Sprintf("status %d", v.status), fmt.Sprintf("status %d", got.status))
	case v.field != "" && got.field() == "" && v.method != http.MethodHead:
		run.general(ruleField, otherwise("details.field in an error that is about one field", "none"), v)
	case got.field() != v.field && v.method != http.MethodHead:
		return otherwise(fmt.Sprintf("details.field %q", v.field), fmt.Sprintf("%q", got.field()))
	case v.allow != "" && allow == "":
		run.general(ruleAllow, otherwise("a header Allow in a response with status 405", "none"), v)
	case v.allow != "" && !slices.Equal(methodsOf(allow), methodsOf(v.allow)):
		return otherwise(fmt.Sprintf("Allow %q", v.allow), fmt.Sprintf("%q", allow))
	}
	if d := kept(v, got, before); d != nil {
		return d
	}
	if v.method != http.MethodHead {
		if err := run.config.Document.CheckBody("#/components/schemas/Error", got.raw); err != nil {
			run.general(ruleError, otherwise("a body of the schema Error", err.Error()), v)
		}
	}
	return nil
}

// methodsOf returns the methods of an Allow header, in order. HEAD may be supported
// like GET, and OPTIONS on every path.
func methodsOf(allow string) []string {
	var methods []string
	for method := range strings.SplitSeq(allow, ",") {
		if method = strings.TrimSpace(method); method != "" && method != http.MethodHead && method != http.MethodOptions {
			methods = append(methods, method)
		}
	}
	slices.Sort(methods)
	return slices.Compact(methods)
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

// cut shortens a text for a message.
func cut(text string) string {
	const longest = 60
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
