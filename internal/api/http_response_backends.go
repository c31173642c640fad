package api

// HTTPResponseBackend answers every request with the same response.
type HTTPResponseBackend struct {
	Object
	Body       string            `json:"body"`
	Headers    map[string]string `json:"headers"`     // names in lower case
	StatusCode Number            `json:"status_code"` // 100 to 599
}

// HTTPResponseBackendBody is the body that creates or updates an HTTP response
// backend. Empty headers clear the headers.
type HTTPResponseBackendBody struct {
	Details
	Body       string            `json:"body"`
	Headers    map[string]string `json:"headers"`
	StatusCode int64             `json:"status_code"`
}

// HTTPResponseBackends are the HTTP response backends of the account.
var HTTPResponseBackends = identified[HTTPResponseBackend](
	Kind{Noun: "HTTP response backend", Prefix: "bkdhr_", Path: "/backends/http_response", ListField: "backends"},
)
