package conformance

import "strings"

// storedTree compares nested values. Empty and absent members are the same; a service
// may add members to a configuration, mask or omit what is write-only, and write an
// expression in another way.
func (run *Run) storedTree(sent, found any) Status {
	switch sent := sent.(type) {
	case map[string]any:
		members, isObject := found.(map[string]any)
		if !isObject && !isEmpty(found) {
			return Differs
		}
		worst := same
		for name, value := range sent {
			_, its := run.shownAs(name, members)
			isDefault := value == nil || value == ""
			if run.writeOnly[name] || isDefault || isEmpty(value) && isEmpty(its) {
				continue
			}
			worst = worse(worst, run.storedTree(value, its))
		}
		return worst
	case []any:
		elements, isList := found.([]any)
		if len(elements) != len(sent) || !isList && !isEmpty(found) {
			return Differs
		}
		worst := same
		for i, value := range sent {
			worst = worse(worst, run.storedTree(value, elements[i]))
		}
		return worst
	case string:
		if sent == text(found) {
			return same
		}
		squeeze := strings.NewReplacer(" ", "", "(", "", ")", "", "'", `"`).Replace
		return notation(squeeze(sent) == squeeze(text(found)))
	}
	if asJSON(sent) == asJSON(found) {
		return same
	}
	return Differs
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

// common compares the members that two responses have in common, since each response can
// have members that the document does not define.
func (run *Run) common(name string, a, b any) Status {
	if name == "labels" || name == "headers" || name == "config" {
		return run.stored(name, a, b)
	}
	switch a := a.(type) {
	case map[string]any:
		members, isObject := b.(map[string]any)
		if !isObject {
			return Differs
		}
		worst := same
		for inside, value := range a {
			if its, there := members[inside]; there && run.names[inside] && (!isEmpty(value) || !isEmpty(its)) {
				worst = worse(worst, run.common(inside, value, its))
			}
		}
		return worst
	case []any:
		elements, _ := b.([]any)
		if len(a) == 0 || len(elements) != len(a) || !isObject(a[0]) {
			return run.stored(name, a, b)
		}
		worst := same
		for i, value := range a {
			worst = worse(worst, run.common(name, value, elements[i]))
		}
		return worst
	}
	return run.stored(name, a, b)
}

// namesIn collects the members that a document defines anywhere, those of them that no
// response needs to show, and those that responses show under another name.
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
