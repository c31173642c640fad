package testserver

import "strings"

// httpResponseBackend responds to each request with a fixed response.
type httpResponseBackend struct {
	common
	Body       string            `json:"body"`
	Headers    map[string]string `json:"headers"` // lower-case names; nil if unset
	StatusCode int               `json:"status_code"`
}

const httpResponseBackendTable tableOf[*httpResponseBackend] = "http_response_backends"

func (s *service) httpResponseBackends() collection[*httpResponseBackend] {
	return collection[*httpResponseBackend]{
		path:   "/backends/http_response",
		prefix: "bkdhr_",
		field:  "backends",
		noun:   "HTTP response backend",
		table:  httpResponseBackendTable.in(s.store),
		create: func(c *call, in *object) (*httpResponseBackend, error) {
			backend := &httpResponseBackend{common: newCommon(c, in), StatusCode: 200}
			backend.read(in)
			return backend, nil
		},
		update: func(_ *call, old *httpResponseBackend, in *object) *httpResponseBackend {
			backend := copyOf(old)
			backend.common = old.updated(in)
			backend.read(in)
			return backend
		},
		view: func(_ *call, uri string, backend *httpResponseBackend) any {
			return struct {
				URI string `json:"uri"`
				*httpResponseBackend
			}{uri, backend}
		},
	}
}

// read sets the fields that a request contains. Headers are replaced as a
// whole. An empty object clears them.
func (b *httpResponseBackend) read(in *object) {
	b.Body = orExisting(in.text("body"), b.Body)
	b.StatusCode = orExisting(in.number("status_code"), b.StatusCode)
	if b.StatusCode < 100 || b.StatusCode > 599 {
		in.refuse("status_code", "status_code must be between 100 and 599")
	}
	given := in.pairs("headers")
	if given == nil {
		return
	}
	b.Headers = nil
	for name, value := range given {
		lower := strings.ToLower(name)
		if _, twice := b.Headers[lower]; twice {
			in.refuse("headers", "duplicate header %s", printable(lower))
		}
		if b.Headers == nil {
			b.Headers = map[string]string{}
		}
		b.Headers[lower] = value
	}
}
