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

// HTTPResponseBackends is the collection at /backends/http_response.
type HTTPResponseBackends = Collection[HTTPResponseBackend]

// HTTPResponseBackendKind names HTTP response backends.
var HTTPResponseBackendKind = newKind(
	Kind{Noun: "HTTP response backend", Prefix: "bkdhr_", Path: "/backends/http_response", ListField: "backends"},
)

var httpResponseBackends = objects(kind[HTTPResponseBackend]{Kind: HTTPResponseBackendKind})

// HTTPResponseBackends returns the account's HTTP response backends.
func (c *Client) HTTPResponseBackends() *HTTPResponseBackends {
	return collection(c, httpResponseBackends)
}
