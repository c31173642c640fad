package conformance

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// check compares a response with what the document says. It returns nil if they agree.
func (run *Run) check(v testCase, got answer, before map[string]any) *difference {
	const what = "status of a success"
	if v.status >= http.StatusBadRequest {
		return run.checkRefusal(v, got, before)
	}
	if isRefusal := got.status >= http.StatusBadRequest && got.status < http.StatusInternalServerError; isRefusal && v.mayRefuse {
		return otherwise(statuses(v.status, got.status))
	}
	var status *difference
	if got.status != v.status {
		status = differs(statuses(v.status, got.status))
		if got.status < http.StatusOK || got.status >= http.StatusMultipleChoices {
			status.hides = true
			return status.about(what, "")
		}
		status.about(what, fmt.Sprintf("%d for %d", got.status, v.status))
	}
	if v.status == http.StatusNoContent || got.status == http.StatusNoContent {
		return status
	}
	form := run.schema(v, got)
	return join(status, kept(v, got, before), form, run.shows(v, got.body).without(form))
}

// schema checks the form of a body. Each violation is a difference of its own, and is
// the same in an object and in a list of them.
func (run *Run) schema(v testCase, got answer) *difference {
	schema := run.responseSchema(v).Ref
	err := run.config.Document.CheckBody(schema, got.raw)
	if err == nil {
		return nil
	}
	var all []*difference
	seen := map[string]bool{}
	for violation := range strings.SplitSeq(strings.TrimPrefix(err.Error(), "body: "), "; ") {
		how := elementOf.ReplaceAllString(violation, "/")
		if !seen[how] && !run.lacks(v.route, memberOf(how)) {
			d := differs("a body of the schema "+strings.TrimPrefix(schema, "#/components/schemas/"), "body: "+violation)
			d.hides = got.body == nil
			all = append(all, d.about(formOf+memberOf(how), how))
		}
		seen[how] = true
	}
	return join(all...)
}

// memberOf returns the member that a violation is about.
func memberOf(violation string) string {
	path, why, isInside := strings.Cut(strings.TrimPrefix(violation, "/"), ": ")
	if !isInside {
		return "a response"
	}
	if path == "" {
		return strings.TrimPrefix(strings.TrimPrefix(why, "missing "), "unknown field ")
	}
	name, _, _ := strings.Cut(path, "/")
	return name
}

// elementOf is the place of an object in a list.
var elementOf = regexp.MustCompile(`^/[a-z_]+/\d+(/|\b)`)

// checkRefusal is check for a request that should fail.
func (run *Run) checkRefusal(v testCase, got answer, before map[string]any) *difference {
	aboutRights := v.status == http.StatusUnauthorized || v.status == http.StatusForbidden
	want, its := statuses(v.status, got.status)
	var status *difference
	switch {
	case got.status < http.StatusBadRequest && aboutRights:
		return differs(want+NoRight, its).about(ruleRights+v.name, "")
	case got.status >= http.StatusInternalServerError:
		status = otherwise(want, its).about("status of a refusal", "")
		status.hides = true
		return status
	case got.status < http.StatusBadRequest:
		return otherwise(want, its)
	case got.status != v.status:
		status = otherwise(want, its).about("status of a refusal", fmt.Sprintf("%d for %d", got.status, v.status))
	}
	var field *difference
	switch its := got.field(); {
	case status != nil:
	case v.field != "" && its == "":
		run.general(ruleField, otherwise("details.field in an error that is about one field", "none"), v)
	case its != v.field:
		field = otherwise(fmt.Sprintf("details.field %q", v.field), fmt.Sprintf("%q", its)).about("details.field", "")
	}
	if err := run.config.Document.CheckBody("#/components/schemas/Error", got.raw); err != nil {
		run.general(ruleError, otherwise("a body of the schema Error", err.Error()), v)
	}
	return join(status, field, kept(v, got, before))
}

// kept checks that a response shows what must not change. The documentation does not
// say what an update does to a field that it omits.
func kept(v testCase, got answer, before map[string]any) *difference {
	if v.kept == "" || member(got.body, v.kept) == member(before, v.kept) {
		return nil
	}
	d := otherwise(fmt.Sprintf("that %s stays %s", v.kept, cut(member(before, v.kept))), cut(member(got.body, v.kept)))
	return d.about("effect of what is omitted", "")
}

// cut shortens a text for a message.
func cut(text string) string {
	const longest = 60
	if runes := []rune(text); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return text
}
