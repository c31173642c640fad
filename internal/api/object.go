package api

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

// used returns nil for an object without values, which a service may show
// instead of null.
func used[T comparable](object *T) *T {
	if object == nil || *object == *new(T) {
		return nil
	}
	return object
}
