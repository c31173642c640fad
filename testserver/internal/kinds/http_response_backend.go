package kinds

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/problem"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/store"
)

// httpResponseBackend responds to each request with a fixed response.
type httpResponseBackend struct {
	common
	Body       string            `json:"body"`
	Headers    map[string]string `json:"headers"` // lower-case names; nil if unset
	StatusCode int               `json:"status_code"`
}

const httpResponseBackendTable store.TableOf[*httpResponseBackend] = "http_response_backends"

func httpResponseBackends(s *Service) engine.Collection[*httpResponseBackend] {
	return engine.Collection[*httpResponseBackend]{
		Path:   "/backends/http_response",
		Prefix: "bkdhr_",
		Field:  "backends",
		Noun:   "HTTP response backend",
		Table:  httpResponseBackendTable.In(s.store),
		Create: func(c *engine.Call, in *body.Object) (*httpResponseBackend, error) {
			backend := &httpResponseBackend{common: newCommon(c, in), StatusCode: 200}
			backend.read(in)
			return backend, nil
		},
		Update: updated[httpResponseBackend],
	}
}

// read sets the fields that a request contains. Headers are replaced as a
// whole. An empty object clears them.
func (b *httpResponseBackend) read(in *body.Object) {
	b.Body = orExisting(in.Text("body"), b.Body)
	b.StatusCode = orExisting(in.Number("status_code"), b.StatusCode)
	if b.StatusCode < 100 || b.StatusCode > 599 {
		in.Refuse("status_code", "status_code must be between 100 and 599")
	}
	given := in.Pairs("headers")
	if given == nil {
		return
	}
	b.Headers = nil
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value, lower := given[name], strings.ToLower(name)
		checkHeader(in, name, value)
		if _, twice := b.Headers[lower]; twice {
			in.Refuse("headers", "duplicate header %s", problem.Printable(lower))
		}
		if b.Headers == nil {
			b.Headers = map[string]string{}
		}
		b.Headers[lower] = value
	}
}

// checkHeader refuses a header that HTTP cannot send.
func checkHeader(in *body.Object, name, value string) {
	in.Rule(name != "", "headers", "a header must not have an empty name")
	field, shown := "headers."+name, problem.Printable(name)
	in.Rule(httpguts.ValidHeaderFieldName(name), field, "invalid header name %s: expected letters, digits and hyphens", shown)
	in.Rule(httpguts.ValidHeaderFieldValue(value), field,
		"the value of the header %s must not contain line ends or other control characters", shown)
}
