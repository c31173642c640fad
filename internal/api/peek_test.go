package api

import (
	"net/http"
	"testing"
)

func TestCollection_peekSendsOneGet(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		found  bool
	}{
		"found":     {body(http.StatusOK, `{"id": "cert_1", "certificate_pem": "x"}`), true},
		"404":       {body(http.StatusNotFound, notFound), false},
		"503":       {body(http.StatusServiceUnavailable, `{}`), false},
		"other id":  {body(http.StatusOK, `{"id": "cert_2"}`), false},
		"not JSON":  {page(http.StatusOK), false},
		"limit":     {body(http.StatusTooManyRequests, `{}`), false},
		"no answer": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := &routes{other: test.answer}
			inBubble(t, service.ServeHTTP, func(t *testing.T, client *Client) {
				if found := TLSCertificates.Of(client).Peek(t.Context(), "cert_1"); (found != nil) != test.found {
					t.Errorf("found %+v", found)
				}
			})
			if sent := service.count("GET /tls_certificates/cert_1"); sent != 1 && name != "limit" || len(service.counts) != 1 {
				t.Errorf("requests: %v", service.counts)
			}
		})
	}
}
