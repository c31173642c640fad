package testserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
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
	var out bytes.Buffer
	s.export(&out)
	return out.Bytes()
}

func (s *Server) export(w io.Writer) {
	r, err := http.NewRequest(http.MethodGet, "/", nil)
	s.must(err)
	r.Host = "localhost"
	c := s.api.NewDirectCall(r, "/", nil)
	base := regexp.QuoteMeta(strings.TrimSuffix(asJSON(c.Base()+"/"), `"`))
	uris := regexp.MustCompile(`,"uri":` + base + `[^"]*"|"uri":` + base + `[^"]*",?`) // no text has such quotes
	out, indented := bufio.NewWriter(w), &bytes.Buffer{}
	_, _ = out.WriteString("{\n  \"objects\": [")
	separator, end := "\n    ", "]\n}\n"
	s.service.Each(c, func(path string, shown any) {
		indented.Reset()
		indented.WriteString(separator)
		object := body.Marshal(seedObject{path, uris.ReplaceAll(body.Marshal(shown), nil)})
		s.must(json.Indent(indented, object, "    ", "  "))
		_, _ = out.Write(indented.Bytes())
		separator, end = ",\n    ", "\n  ]\n}\n"
	})
	_, _ = out.WriteString(end)
	_ = out.Flush() // the client may have disconnected
}

// controlExport returns all objects as a seed.
func (s *Server) controlExport(*engine.Call) (*engine.Answer, error) {
	return &engine.Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Stream: s.export}, nil
}

// controlHealth answers without a key, for probes of containers.
func (s *Server) controlHealth(c *engine.Call) (*engine.Answer, error) {
	return s.success(c, http.StatusOK, map[string]string{"status": "ok"}), nil
}
