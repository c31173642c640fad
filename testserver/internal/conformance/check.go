package conformance

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// check compares a response with what the document says.
func (run *Run) check(v testCase, got answer, before map[string]any) []difference {
	if v.status >= http.StatusBadRequest {
		return run.checkRefusal(v, got, before)
	}
	var all []difference
	isRefusal := got.status >= http.StatusBadRequest && got.status < http.StatusInternalServerError
	if isRefusal && v.mayRefuse {
		return []difference{statuses(Otherwise, v.status, got.status)}
	} else if got.status != v.status {
		all = append(all, statuses(Differs, v.status, got.status))
	}
	isBody := v.status != http.StatusNoContent && got.status != http.StatusNoContent
	if !isBody || got.status < http.StatusOK || got.status >= http.StatusMultipleChoices {
		return all
	}
	return slices.Concat(all, kept(v, got, before), run.schema(v, got), run.shows(v, got.body, ""))
}

// schema checks the form of a body. Each violation is a difference of its own, and is
// the same in an object and in a list of them.
func (run *Run) schema(v testCase, got answer) (all []difference) {
	schema := run.config.Document.Response(v.route, v.method, v.status).Ref
	expected := "a body of the schema " + strings.TrimPrefix(schema, "#/components/schemas/")
	err := run.config.Document.CheckBody(schema, got.raw)
	if err == nil {
		return nil
	}
	for violation := range strings.SplitSeq(strings.TrimPrefix(err.Error(), "body: "), "; ") {
		about := "form of a response"
		if parts := violated.FindStringSubmatch(violation); parts != nil {
			about = cmp.Or(parts[1], parts[2])
		}
		if !run.lacks(v.route, about) {
			all = append(all, difference{Differs, about, expected, "body: " + violation})
		}
	}
	return all
}

// violated finds the member that a violation is about, in an object or in a list of them:
// the first one of its path, or the one that is missing or unknown.
var violated = regexp.MustCompile(`^(?:/[a-z_]+/\d+)?/?([a-z_]*)[^:]*: (?:missing |unknown field )?([\w-]+)`)

// checkRefusal is check for a request that should fail.
func (run *Run) checkRefusal(v testCase, got answer, before map[string]any) []difference {
	d := statuses(Otherwise, v.status, got.status)
	switch {
	case got.status < http.StatusBadRequest && (v.status == http.StatusUnauthorized || v.status == http.StatusForbidden):
		return []difference{{Differs, "", d.expected + noRight, d.found}}
	case got.status < http.StatusBadRequest:
		return slices.Concat([]difference{d}, kept(v, got, before))
	case got.status >= http.StatusInternalServerError:
		return []difference{d}
	}
	err, its := run.config.Document.CheckBody("#/components/schemas/Error", got.raw), got.field()
	run.everywhere(v, err != nil, difference{Otherwise, "body of an error", "a body of the schema Error", fmt.Sprint(err)})
	if got.status != v.status {
		return []difference{d}
	}
	unnamed := v.field != "" && its == ""
	run.everywhere(v, unnamed, difference{Otherwise, "details.field of an error", "details.field in an error that is about one field", "none"})
	if its != v.field && !unnamed {
		return []difference{{Otherwise, "details.field", fmt.Sprintf("details.field %q", v.field), fmt.Sprintf("%q", its)}}
	}
	return nil
}

// kept checks that a response shows what must not change. The documentation does not
// say what an update does to a field that it omits.
func kept(v testCase, got answer, before map[string]any) []difference {
	was, is := member(before, v.kept), member(got.body, v.kept)
	if v.kept == "" || was == is {
		return nil
	}
	return []difference{{Otherwise, "effect of what is omitted", fmt.Sprintf("that %s stays %s", v.kept, cut(was)), cut(is)}}
}

// cut shortens a text for a message.
func cut(text string) string {
	const longest = 60
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
