package record

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/body"
	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/engine"
)

// The request log contains no API keys of the server and no private keys,
// wherever a client sends them.

// Redacted stands for a secret.
const Redacted = "(redacted)"

// minSecret is the minimum length of an API key to search for inside other
// text. Shorter keys such as "test" occur in too many words.
const minSecret = 8

// isSecret reports whether a text is or contains an API key, also one that a client has
// created, or contains a private key in PEM.
func isSecret[T string | []byte](l *Log, text T, contains func(text, part T) bool) bool {
	for key := range l.API.Accounts {
		if string(text) == key || len(key) >= minSecret && contains(text, T(key)) {
			return true
		}
	}
	return contains(text, T("PRIVATE KEY")) || contains(text, T(l.Token))
}

// redactText redacts a text of a URL or header if it contains a secret.
func (l *Log) redactText(text string) string {
	decoded, err := url.QueryUnescape(text)
	if isSecret(l, text, strings.Contains) || err == nil && isSecret(l, decoded, strings.Contains) {
		return Redacted
	}
	return text
}

func (l *Log) redactValues(values map[string][]string) map[string][]string {
	kept := map[string][]string{}
	for name, texts := range values {
		name = l.redactText(name)
		for _, text := range texts {
			kept[name] = append(kept[name], l.redactText(text))
		}
	}
	return kept
}

func (l *Log) redactHeader(header http.Header) http.Header {
	header = header.Clone()
	for _, secret := range engine.SecretHeaders {
		header.Del(secret)
	}
	return l.redactValues(header)
}

// redactRequest returns a request body without secrets. It drops a body that is
// not a JSON object or list, because it cannot find secrets in it.
func (l *Log) redactRequest(sent []byte) []byte {
	if len(sent) == 0 {
		return nil
	}
	values, err := body.Parse(sent)
	if err == nil {
		return body.Marshal(l.redactTree(values))
	}
	var list []any // of rules
	if json.Unmarshal(sent, &list) == nil {
		return body.Marshal(l.redactTree(list))
	}
	return []byte(`"(not a JSON object)"`)
}

func (l *Log) redactTree(value any) any {
	switch value := value.(type) {
	case string:
		if isSecret(l, value, strings.Contains) {
			return Redacted
		}
	case []any:
		for i, element := range value {
			value[i] = l.redactTree(element)
		}
	case map[string]any:
		kept := map[string]any{}
		for name, member := range value {
			if l.holdsSecret(strings.ToLower(name)) {
				member = Redacted
			}
			if isSecret(l, name, strings.Contains) {
				name = Redacted
			}
			kept[name] = l.redactTree(member)
		}
		return kept
	}
	return value
}

// redactResponse redacts the body of a response if it contains a secret, for
// example in an error message. Otherwise it returns body itself, which must not
// change any more.
func (l *Log) redactResponse(body []byte) []byte {
	if isSecret(l, body, bytes.Contains) {
		return []byte(`"` + Redacted + `"`)
	}
	return body
}

// holdsSecret reports whether a field contains a secret, by its name in lower case.
func (l *Log) holdsSecret(name string) bool {
	return strings.Contains(name, "private_key") && name != "private_key_type" || l.WriteOnly()[name]
}

// IsSecret reports whether a text is or contains a key.
func (l *Log) IsSecret(text string) bool { return isSecret(l, text, strings.Contains) }

// Path returns the path of a request as the log shows it.
func (l *Log) Path(path string) string { return short(l.redactText(path), maxPath) }

// entry returns the log entry for a call and its response. Of a caller without a key, who
// may be anybody, it keeps neither the header nor the query and the body.
func (l *Log) entry(c *engine.Call, a *engine.Answer) Request {
	entry := Request{
		Time: c.Time, Duration: l.API.Clock().Sub(c.Arrived), Method: knownMethod(c.Request.Method), Path: l.Path(c.Request.URL.EscapedPath()),
		Pattern: c.Endpoint.Pattern, Owner: c.Account.Owner, Operation: c.Operation,
	}
	caller, known := l.API.Caller(c.Request)
	if known {
		entry.Owner = caller.Owner // also if a failure answered before the key was checked
	}
	if known || c.Direct {
		entry.Query = l.redactValues(c.Request.URL.Query())
		entry.Header = l.redactHeader(c.Request.Header)
		entry.UserAgent = short(entry.Header.Get("User-Agent"), maxAgent)
		entry.RequestBody = l.redactRequest(c.Body)
	}
	if a != nil {
		entry.Status, entry.ResponseBody = a.Status, l.redactResponse(a.Body)
	}
	return entry
}

// knownMethod returns name if it is a standard HTTP method, and "(unknown method)"
// otherwise. Clients can send any word as a method.
func knownMethod(name string) string {
	if slices.Contains(strings.Fields("GET HEAD POST PUT PATCH DELETE CONNECT OPTIONS TRACE"), name) {
		return name
	}
	return "(unknown method)"
}
