package testserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/kinds"
)

// The request log contains no API keys of the server and no private keys,
// wherever a client sends them.

const redacted = "(redacted)"

// minSecret is the minimum length of an API key to search for inside other
// text. Shorter keys such as "test" occur in too many words.
const minSecret = 8

// isSecret reports whether a text is or contains an API key, also one that a client has
// created, or contains a private key in PEM.
func isSecret[T string | []byte](s *Server, text T, contains func(text, part T) bool) bool {
	for key := range s.api.Accounts {
		if string(text) == key || len(key) >= minSecret && contains(text, T(key)) {
			return true
		}
	}
	return contains(text, T("PRIVATE KEY")) || contains(text, T(kinds.TokenPrefix))
}

// redactText redacts a text of a URL or header if it contains a secret.
func (s *Server) redactText(text string) string {
	decoded, err := url.QueryUnescape(text)
	if isSecret(s, text, strings.Contains) || err == nil && isSecret(s, decoded, strings.Contains) {
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

// redactRequest returns a request body without secrets. It drops a body that is
// not a JSON object or list, because it cannot find secrets in it.
func (s *Server) redactRequest(sent []byte) []byte {
	if len(sent) == 0 {
		return nil
	}
	values, err := body.Parse(sent)
	if err == nil {
		return body.Marshal(s.redactTree(values))
	}
	var list []any // of rules
	if json.Unmarshal(sent, &list) == nil {
		return body.Marshal(s.redactTree(list))
	}
	return []byte(`"(not a JSON object)"`)
}

func (s *Server) redactTree(value any) any {
	switch value := value.(type) {
	case string:
		if isSecret(s, value, strings.Contains) {
			return redacted
		}
	case []any:
		for i, element := range value {
			value[i] = s.redactTree(element)
		}
	case map[string]any:
		kept := map[string]any{}
		for name, member := range value {
			if holdsSecret(strings.ToLower(name)) {
				member = redacted
			}
			if isSecret(s, name, strings.Contains) {
				name = redacted
			}
			kept[name] = s.redactTree(member)
		}
		return kept
	}
	return value
}

// redactResponse redacts the body of a response if it contains a secret, for
// example in an error message. Otherwise it returns body itself, which must not
// change any more.
func (s *Server) redactResponse(body []byte) []byte {
	if isSecret(s, body, bytes.Contains) {
		return []byte(`"` + redacted + `"`)
	}
	return body
}

// holdsSecret reports whether a field contains a secret, by its name in lower case.
func holdsSecret(name string) bool {
	return strings.Contains(name, "private_key") && name != "private_key_type" || writeOnly()[name]
}

// writeOnly returns the names of the fields that are write-only in the API contract.
var writeOnly = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for _, field := range regexp.MustCompile(`(\w+): \{[^{}]*\bwriteOnly: true`).FindAllSubmatch(OpenAPI, -1) {
		names[string(field[1])] = true
	}
	return names
})
