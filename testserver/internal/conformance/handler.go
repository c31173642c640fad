package conformance

import (
	"bytes"
	"io"
	"net/http"
)

// Handler returns a transport whose requests go to a handler in this process.
func Handler(handler http.Handler) http.RoundTripper {
	return inProcess{handler}
}

type inProcess struct{ handler http.Handler }

func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	w := &recorder{header: http.Header{}}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	p.handler.ServeHTTP(w, r)
	return &http.Response{StatusCode: w.status, Header: w.header, Body: io.NopCloser(&w.body), Request: r}, nil
}

// recorder is a response in memory.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *recorder) Write(content []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(content)
}
