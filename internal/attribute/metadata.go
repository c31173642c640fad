package attribute

// Metadata is data of the user's own: any text, commonly a JSON document. Two
// JSON objects, or arrays, are the same as they are in JSON: Terraform itself
// writes jsonencode into a configuration that it generates, whatever white space
// and order of members the document has at the service.
type Metadata = Value[metadata]

// MetadataType is the type of Metadata.
type MetadataType = Type[metadata]

type metadata struct{}

func (metadata) Name() string { return "JSON document" }

func (metadata) Check(string) error { return nil }

func (metadata) Same(a, b string) bool {
	return isDocument(a) && isDocument(b) && jsonObject{}.Same(a, b)
}

// isDocument tells whether a text is a JSON object or array, and not a number or
// a word that JSON has too.
func isDocument(text string) bool {
	switch value, err := parseJSON(text); value.(type) {
	case map[string]any, []any:
		return err == nil
	}
	return false
}
