package testserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// Export returns all objects as the seed of a whole account (see [Server.Seed]), as
// the API returns them but without their URIs. It contains no private key. No other
// behavior applies. Another server with this seed exports the same bytes.
func (s *Server) Export() []byte {
	r, err := http.NewRequest(http.MethodGet, "/", nil)
	s.must(err)
	r.Host = "localhost"
	c := s.api.NewDirectCall(r, "/", nil)
	base := regexp.QuoteMeta(strings.TrimSuffix(asJSON(c.Base()+"/"), `"`))
	uris := regexp.MustCompile(`,"uri":` + base + `[^"]*"|"uri":` + base + `[^"]*",?`) // no text has such quotes
	var out bytes.Buffer
	out.WriteString("{\n  \"objects\": [")
	separator, end := "\n    ", "]\n}\n"
	s.service.Each(c, func(path string, shown any) {
		out.WriteString(separator)
		object := body.Marshal(seedObject{path, uris.ReplaceAll(body.Marshal(shown), nil)})
		s.must(json.Indent(&out, object, "    ", "  "))
		separator, end = ",\n    ", "\n  ]\n}\n"
	})
	out.WriteString(end)
	return out.Bytes()
}

// controlExport returns all objects as a seed.
func (s *Server) controlExport(*engine.Call) (*engine.Answer, error) {
	return &engine.Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: s.Export()}, nil
}

// controlHealth answers without a key, for probes of containers.
func (s *Server) controlHealth(c *engine.Call) (*engine.Answer, error) {
	return s.success(c, http.StatusOK, map[string]string{"status": "ok"}), nil
}
