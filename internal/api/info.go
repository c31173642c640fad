package api

import "encoding/json"

// Info is the text of a field that is only informative, so that it never fails
// a response: a number or a boolean becomes its text, and another value "".
type Info string

// UnmarshalJSON never returns an error.
func (i *Info) UnmarshalJSON(value []byte) error {
	*i = ""
	var text string
	switch {
	case json.Unmarshal(value, &text) == nil: // also null
		*i = Info(text)
	case value[0] != '{' && value[0] != '[':
		*i = Info(value)
	}
	return nil
}

// InfoList is a list of Info. A value that is not a list becomes an empty one,
// and items that are not texts are missing.
type InfoList []string

// UnmarshalJSON never returns an error.
func (l *InfoList) UnmarshalJSON(value []byte) error {
	*l = nil
	var items []Info
	json.Unmarshal(value, &items) //nolint:errcheck // then there are no items
	for _, item := range items {
		if item != "" {
			*l = append(*l, string(item))
		}
	}
	return nil
}

// Refs are references to other objects, without those that have no id.
type Refs []Ref

// UnmarshalJSON never returns an error.
func (r *Refs) UnmarshalJSON(value []byte) error {
	*r = nil
	var items []json.RawMessage
	json.Unmarshal(value, &items) //nolint:errcheck // then there are no items
	for _, item := range items {
		var ref Ref
		if json.Unmarshal(item, &ref) == nil && ref.ID != "" {
			*r = append(*r, ref)
		}
	}
	return nil
}
