package testserver

import _ "embed"

// OpenAPI is the API contract as an OpenAPI 3.1 document in YAML.
//
//go:embed openapi.yaml
var OpenAPI []byte
