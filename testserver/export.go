package testserver

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

// Export returns all objects as the seed of a whole account (see [Server.Seed]), as
// the API returns them but without their URIs. It contains no private key. No other
// behavior applies. Another server with this seed exports the same bytes.
func (s *Server) Export() []byte {
	account := wholeAccount{Objects: []seedObject{}}
	for _, names := range kinds.Roots() {
		objects := s.listAll(names)
		slices.Reverse(objects) // oldest first
		for _, object := range objects {
			account.Objects = append(account.Objects, seedObject{names.Path, body.Marshal(object)})
		}
	}
	text, err := json.MarshalIndent(account, "", "  ")
	s.must(err)
	return append(text, '\n')
}

// listAll returns the objects of a list, newest first, without the URIs of this
// server. Numbers keep their text.
func (s *Server) listAll(names kinds.Names) []any {
	var all []any
	for query := "?limit=100"; query != ""; {
		r, err := http.NewRequest(http.MethodGet, names.Path+query, nil)
		s.must(err)
		r.Host = "localhost"
		c := s.api.NewDirectCall(r, names.Path, nil)
		page, _ := body.Decode(s.api.Process(c).Body).(map[string]any)
		objects, _ := page[names.Field].([]any)
		for _, object := range objects {
			withoutURIs(object, c.Base()+"/")
		}
		all = append(all, objects...)
		query = ""
		if next, err := url.Parse(member(page, "next_page_uri")); err == nil && next.RawQuery != "" {
			query = "?" + next.RawQuery
		}
	}
	return all
}

// withoutURIs removes the URIs with a prefix from a JSON value.
func withoutURIs(value any, prefix string) {
	switch value := value.(type) {
	case map[string]any:
		if strings.HasPrefix(member(value, "uri"), prefix) {
			delete(value, "uri")
		}
		for _, nested := range value {
			withoutURIs(nested, prefix)
		}
	case []any:
		for _, element := range value {
			withoutURIs(element, prefix)
		}
	}
}

// controlExport returns all objects as a seed.
func (s *Server) controlExport(*engine.Call) (*engine.Answer, error) {
	return &engine.Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: s.Export()}, nil
}

// controlHealth answers without a key, for probes of containers.
func (s *Server) controlHealth(c *engine.Call) (*engine.Answer, error) {
	return s.success(c, http.StatusOK, map[string]string{"status": "ok"}), nil
}
