package attribute

// Metadata is arbitrary user-defined text, usually a JSON document. Two JSON
// objects or arrays are compared by content, because Terraform writes
// jsonencode into generated configuration, whatever the white space and the
// order of members at the service.
type Metadata = Value[metadata]

// MetadataType is the type of Metadata.
type MetadataType = Type[metadata]

type metadata struct{}

func (metadata) Name() string { return "JSON document" }

func (metadata) Check(string) error { return nil }

func (metadata) Same(a, b string) bool {
	return isDocument(a) && isDocument(b) && jsonObject{}.Same(a, b)
}

// isDocument reports whether a text is a JSON object or array. It returns false
// for other JSON values, such as numbers.
func isDocument(text string) bool {
	switch value, err := parseJSON(text); value.(type) {
	case map[string]any, []any:
		return err == nil
	}
	return false
}
