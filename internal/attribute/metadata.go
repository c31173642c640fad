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
	return sameDocument(a, b)
}

// sameDocument reports whether two texts are JSON objects or arrays with the
// same content. It returns false for other JSON values, such as numbers.
func sameDocument(a, b string) bool {
	av, aErr := parseJSON(a)
	bv, bErr := parseJSON(b)
	switch av.(type) {
	case map[string]any, []any:
		return aErr == nil && bErr == nil && sameJSON(av, bv)
	}
	return false
}
