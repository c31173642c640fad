package api

// HTTPResponseBackend answers every request with the same response.
type HTTPResponseBackend struct {
	Object
	Body       string            `json:"body"`
	Headers    map[string]string `json:"headers"`     // names in lower case
	StatusCode Number            `json:"status_code"` // 100 to 599
}

// HTTPResponseBackendCreate is the body that creates an HTTP response backend.
type HTTPResponseBackendCreate struct {
	Details
	HTTPResponse
}

// HTTPResponseBackendUpdate is the body that updates an HTTP response backend.
// Empty headers clear the headers.
type HTTPResponseBackendUpdate struct {
	DetailsUpdate
	HTTPResponse
}

// HTTPResponse is the response of an HTTP response backend.
type HTTPResponse struct {
	Body       string            `json:"body"`
	Headers    map[string]string `json:"headers"`
	StatusCode int64             `json:"status_code"`
}

// HTTPResponseBackendKind names HTTP response backends.
var HTTPResponseBackendKind = newKind(
	Kind{Noun: "HTTP response backend", Prefix: "bkdhr_", Path: "/backends/http_response", ListField: "backends"},
)

// HTTPResponseBackends returns the account's HTTP response backends.
var HTTPResponseBackends = objects(kind[HTTPResponseBackend]{Kind: HTTPResponseBackendKind})
