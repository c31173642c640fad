package api

// Object is what all objects with an id have.
type Object struct {
	ID          string `json:"id"`
	URI         string `json:"uri"`
	CreatedAt   string `json:"created_at"` // RFC 3339
	Description string `json:"description"`
	Metadata    string `json:"metadata"`
}

// Details are what can be said about any object at its creation: at most 255
// bytes of description and 4096 bytes of metadata.
type Details struct {
	Description string `json:"description,omitempty"`
	Metadata    string `json:"metadata,omitempty"`
}

// DetailsUpdate changes Details: nil leaves a field as it is, "" clears it.
type DetailsUpdate struct {
	Description *string `json:"description,omitempty"`
	Metadata    *string `json:"metadata,omitempty"`
}
