package conformance

// nested compares values that contain others. In what was sent, empty members are as
// absent, and write-only ones need not be shown. Of two responses, each can have members
// that the other has not, or that the document does not define.
func (run *Run) nested(name string, a, b any, isSent bool) Status {
	worst, inside := same, run.common
	if isSent {
		inside = run.stored
	}
	switch a := a.(type) {
	case map[string]any:
		members, isObject := b.(map[string]any)
		if !isObject && (!isSent || !isEmpty(b)) {
			return Differs
		}
		for name, value := range a {
			its, there := members[name]
			skip := !there || !run.names[name]
			if isSent {
				_, its = run.shownAs(name, members)
				skip = run.writeOnly[name] || value == nil || value == ""
			}
			if !skip && (!isEmpty(value) || !isEmpty(its)) {
				worst = worse(worst, inside(name, value, its))
			}
		}
	case []any:
		elements, isList := b.([]any)
		if !isSent && (len(a) == 0 || !isObject(a[0])) {
			return run.stored(name, a, b)
		}
		if len(elements) != len(a) || !isList && !isEmpty(b) {
			return Differs
		}
		for i, value := range a {
			worst = worse(worst, inside(name, value, elements[i]))
		}
	}
	return worst
}

// worse returns the more serious of two statuses.
func worse(a, b Status) Status {
	if a == Differs || b == Differs {
		return Differs
	}
	if a == Otherwise || b == Otherwise {
		return Otherwise
	}
	return same
}

// common compares the members that two responses have in common.
func (run *Run) common(name string, a, b any) Status {
	_, isList := a.([]any)
	if name == "labels" || name == "headers" || name == "config" || !isList && !isObject(a) {
		return run.stored(name, a, b)
	}
	return run.nested(name, a, b, false)
}

// namesIn collects the members that a document defines anywhere, those of them that no
// response needs to show, those that null clears in an update, and those that responses
// show under another name.
func (run *Run) namesIn(tree any) {
	switch tree := tree.(type) {
	case map[string]any:
		properties, _ := tree["properties"].(map[string]any)
		for name, property := range properties {
			run.names[name] = true
			of, _ := property.(map[string]any)
			if of["writeOnly"] == true {
				run.writeOnly[name] = true
			}
			if of["x-null-clears"] == true {
				run.nullClears[name] = true
			}
			if other, there := of["x-shown-as"].(string); there {
				run.otherNames[name] = other
			}
		}
		for _, value := range tree {
			run.namesIn(value)
		}
	case []any:
		for _, value := range tree {
			run.namesIn(value)
		}
	}
}

func isObject(value any) bool {
	_, is := value.(map[string]any)
	return is
}
