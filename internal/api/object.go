package api

import "encoding/json"

// Identified holds the fields that all objects with an id have.
type Identified struct {
	ID        string `json:"id"`
	URI       Info   `json:"uri"`
	CreatedAt Info   `json:"created_at"` // RFC 3339
}

// Common returns o, also for the objects that embed it.
func (o *Identified) Common() *Identified { return o }

// Object holds the fields of an object with a description and metadata.
type Object struct {
	Identified
	Description string `json:"description"`
	Metadata    string `json:"metadata"`
}

// Described returns o, also for the objects that embed it.
func (o *Object) Described() *Object { return o }

// Details holds the user's own fields of an object in a request body: a
// description of at most 255 bytes and metadata of at most 4096 bytes. "" means
// "not given" in a create request, and clears a field in an update request.
type Details struct {
	Description string `json:"description"`
	Metadata    string `json:"metadata"`
}

// Ref refers to another object.
type Ref struct {
	ID  string `json:"id"`
	URI Info   `json:"uri"`
}

// IDs are the ids of other objects, as a request contains them. In a response, each is an
// id or a Ref. A reference without an id is none.
type IDs []string

// UnmarshalJSON implements [json.Unmarshaler].
func (i *IDs) UnmarshalJSON(value []byte) error {
	*i = nil
	var items []json.RawMessage
	if err := json.Unmarshal(value, &items); err != nil {
		return err
	}
	for _, item := range items {
		var ref Ref
		err := json.Unmarshal(item, &ref.ID) // also null
		if item[0] == '{' {
			err = json.Unmarshal(item, &ref)
		}
		if err != nil {
			return err
		}
		if ref.ID != "" {
			*i = append(*i, ref.ID)
		}
	}
	return nil
}

// used returns nil for an object without values, which a service may show
// instead of null.
func used[T comparable](object *T) *T {
	if object == nil || *object == *new(T) {
		return nil
	}
	return object
}
