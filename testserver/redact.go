package testserver

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
)

// The request log keeps no secrets: no API key of the server, and no private key, wherever a client puts them.

const redacted = "(redacted)"

// minSecret is the length from which an API key is looked for inside other text: a key such as "test" is in too many words.
const minSecret = 8

// isSecret reports whether a text is an API key, or holds one or a private key in PEM.
func (s *Server) isSecret(text string) bool {
	for key := range s.accounts {
		if text == key || len(key) >= minSecret && strings.Contains(text, key) {
			return true
		}
	}
	return strings.Contains(text, "PRIVATE KEY")
}

// redactText returns a text of a URL or header, unless it holds a secret.
func (s *Server) redactText(text string) string {
	decoded, err := url.QueryUnescape(text)
	if s.isSecret(text) || err == nil && s.isSecret(decoded) {
		return redacted
	}
	return text
}

func (s *Server) redactValues(values map[string][]string) map[string][]string {
	kept := map[string][]string{}
	for name, texts := range values {
		name = s.redactText(name)
		for _, text := range texts {
			kept[name] = append(kept[name], s.redactText(text))
		}
	}
	return kept
}

func (s *Server) redactHeader(header http.Header) http.Header {
	header = header.Clone()
	for _, secret := range []string{"Authorization", "Proxy-Authorization", "Cookie"} {
		header.Del(secret)
	}
	return s.redactValues(header)
}

// redactRequest returns a request body without secrets. A body that is not a JSON object cannot be searched for them, so
// none of it is kept.
func (s *Server) redactRequest(body []byte) []byte {
	if len(body) == 0 {
		return nil
	}
	values, err := parseBody(body)
	if err != nil {
		return []byte(`"(not a JSON object)"`)
	}
	return marshal(s.redactTree(values))
}

func (s *Server) redactTree(value any) any {
	switch value := value.(type) {
	case string:
		if s.isSecret(value) {
			return redacted
		}
	case []any:
		for i, element := range value {
			value[i] = s.redactTree(element)
		}
	case map[string]any:
		kept := map[string]any{}
		for name, member := range value {
			if strings.Contains(strings.ToLower(name), "private_key") && name != "private_key_type" {
				member = redacted
			}
			if s.isSecret(name) {
				name = redacted
			}
			kept[name] = s.redactTree(member)
		}
		return kept
	}
	return value
}

// redactResponse returns an answer, unless an error in it quotes a secret.
func (s *Server) redactResponse(body []byte) []byte {
	if len(body) == 0 {
		return nil
	}
	if s.isSecret(string(body)) {
		return []byte(`"` + redacted + `"`)
	}
	return bytes.Clone(body)
}
