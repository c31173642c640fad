package body

// FromAnswer reads the object as one that the API returned. Members that requests
// do not have are not refused but returned by Extra, and references can be objects.
func (o *Object) FromAnswer() {
	o.answer, o.create = true, false
}

// IsAnswer reports whether the object is one that the API returned.
func (o *Object) IsAnswer() bool { return o.answer }

// Extra returns the names of the members that no request has, after End.
func (o *Object) Extra() []string { return o.extra }

// Reference reads the id of another object. In an object that the API returned, it
// can be the id of an object with the name of the reference.
func (o *Object) Reference(name, reference string) *string {
	id := o.Text(name)
	if id != nil || !o.answer {
		return id
	}
	nested := o.Nested(reference)
	if nested == nil {
		return nil
	}
	defer nested.RefuseUnknown()
	text := nested.Required("id")
	return &text
}

// References is like Reference, for a list.
func (o *Object) References(name, references string) []string {
	ids := o.Texts(name)
	if ids != nil || !o.answer {
		return ids
	}
	for _, nested := range o.NestedList(references) {
		ids = append(ids, nested.Required("id"))
		nested.RefuseUnknown()
	}
	return ids
}
