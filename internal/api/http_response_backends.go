package api

import (
	"cmp"
	"maps"
	"strings"
)

// HTTPResponseBackend answers every request with the same response.
type HTTPResponseBackend struct {
	Object
	Body       string            `json:"body"`
	Headers    map[string]string `json:"headers"`     // names in lower case
	StatusCode int64             `json:"status_code"` // 100 to 599
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
type HTTPResponseBackends = Collection[HTTPResponseBackend, HTTPResponseBackendCreate, HTTPResponseBackendUpdate]

var httpResponseBackends = describe(kind[HTTPResponseBackend, HTTPResponseBackendCreate]{
	noun: "HTTP response backend", path: "/backends/http_response", list: "backends",
	id:      func(o *HTTPResponseBackend) string { return o.ID },
	created: func(o *HTTPResponseBackend) string { return o.CreatedAt },
	same: func(sent *HTTPResponseBackendCreate, o *HTTPResponseBackend) bool {
		return sent.same(&o.Object) && sent.Body == o.Body && cmp.Or(sent.StatusCode, 200) == o.StatusCode &&
			maps.Equal(lowerNames(sent.Headers), lowerNames(o.Headers))
	},
})

// lowerNames returns headers with their names in lower case.
func lowerNames(headers map[string]string) map[string]string {
	lower := make(map[string]string, len(headers))
	for name, value := range headers {
		lower[strings.ToLower(name)] = value
	}
	return lower
}

// HTTPResponseBackends returns the account's HTTP response backends.
func (c *Client) HTTPResponseBackends() *HTTPResponseBackends {
	return collection[HTTPResponseBackend, HTTPResponseBackendCreate, HTTPResponseBackendUpdate](c, httpResponseBackends)
}
