package api

// Object is the fields that all objects with an id have.
type Object struct {
	ID          string `json:"id"`
	URI         string `json:"uri"`
	CreatedAt   string `json:"created_at"` // RFC 3339
	Description string `json:"description"`
	Metadata    string `json:"metadata"`
}

// Details are the user's own fields of an object in the body of a creation: a
// description of at most 255 bytes and metadata of at most 4096 bytes.
type Details struct {
	Description string `json:"description,omitempty"`
	Metadata    string `json:"metadata,omitempty"`
}

// DetailsUpdate is Details in the body of an update, in which "" clears a field.
type DetailsUpdate struct {
	Description string `json:"description"`
	Metadata    string `json:"metadata"`
}

// Ref points to another object.
type Ref struct {
	ID  string `json:"id"`
	URI string `json:"uri"`
}
