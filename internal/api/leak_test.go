package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// places are the parts of a response in which a service can repeat a secret.
// Each answers every request.
var places = map[string]func(w http.ResponseWriter, r *http.Request, text string){
	"msg": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 400, map[string]any{"msg": "bad " + text})
	},
	"msg with 404": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 404, map[string]any{"msg": text})
	},
	"msg with 503": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 503, map[string]any{"msg": text})
	},
	"error_code": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 400, map[string]any{"error_code": text})
	},
	"field": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 400, map[string]any{"msg": "no", "details": map[string]any{"field": text}})
	},
	"operation_id": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 400, map[string]any{"msg": "no", "details": map[string]any{"operation_id": text}})
	},
	"operation header": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set(operationIDHeader, oneLine(text))
		answerJSON(w, 400, map[string]any{"msg": "no"})
	},
	"content type": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Content-Type", "text/"+oneLine(text))
		w.WriteHeader(400)
		_, _ = w.Write([]byte("x"))
	},
	"id": func(w http.ResponseWriter, _ *http.Request, text string) {
		item := map[string]any{"id": text, "type": text}
		answerJSON(w, 200, map[string]any{"id": text, "type": text, "ssh_credentials": []any{item}, "sources": []any{item}, "tls_certificates": []any{item}})
	},
	"next page path": func(w http.ResponseWriter, r *http.Request, text string) {
		answerJSON(w, 200, map[string]any{"ssh_credentials": []any{}, "next_page_uri": "http://" + r.Host + "/" + url.PathEscape(text)})
	},
	"next page host": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 200, map[string]any{"ssh_credentials": []any{}, "next_page_uri": "https://" + oneLine(text) + ".example/"})
	},
	"next page query": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 200, map[string]any{"ssh_credentials": []any{}, "next_page_uri": "http://evil.example/?k=" + url.QueryEscape(text)})
	},
	"next page is no URL": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 200, map[string]any{"ssh_credentials": []any{}, "next_page_uri": "http://%zz/" + text})
	},
	"redirect": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Location", "/"+url.PathEscape(text))
		w.WriteHeader(307)
	},
	"redirect, see other": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Location", "/"+url.PathEscape(text))
		w.WriteHeader(303)
	},
	"redirect query": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Location", "/?k="+url.QueryEscape(text))
		w.WriteHeader(302)
	},
	"redirect host": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Location", "https://"+oneLine(text)+".example/")
		w.WriteHeader(302)
	},
	"redirect, no URL": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Location", "http://%zz/"+oneLine(text))
		w.WriteHeader(302)
	},
	"no HTTP": func(w http.ResponseWriter, _ *http.Request, text string) { answerRaw(w, text+"\r\n\r\n") },
	"bad header": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerRaw(w, "HTTP/1.1 200 OK\r\n"+text+"\r\n\r\n")
	},
	"bad status": func(w http.ResponseWriter, _ *http.Request, text string) { answerRaw(w, "HTTP/1.1 "+text+"\r\n\r\n") },
	"bad length": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerRaw(w, "HTTP/1.1 200 OK\r\nContent-Length: "+text+"\r\n\r\n")
	},
	"bad encoding": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerRaw(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: "+text+"\r\n\r\n")
	},
	"wrong type": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 200, map[string]any{"id": map[string]any{text: 1}, "acl": map[string]any{text: text}, "ssh_credentials": text})
	},
	"wrong item": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 200, map[string]any{"id": []any{text}, "ssh_credentials": []any{text}, "enabled": text})
	},
	"field name": func(w http.ResponseWriter, _ *http.Request, text string) {
		answerJSON(w, 200, map[string]any{text: text})
	},
	"no JSON": func(w http.ResponseWriter, _ *http.Request, text string) { apiError(w, 200, "{"+text) },
	"page": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(400)
		fmt.Fprint(w, text)
	},
	"challenge": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("WWW-Authenticate", oneLine(text))
		w.WriteHeader(401)
	},
	"retry after": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Retry-After", oneLine(text))
		w.WriteHeader(503)
	},
}

func answerJSON(w http.ResponseWriter, status int, value any) {
	text, _ := json.Marshal(value)
	apiError(w, status, string(text))
}

func oneLine(text string) string {
	return strings.NewReplacer("\n", "", "\r", "", "\x00", "").Replace(text)
}

// The API key and a header that a service repeats appear in no error and not in
// the log, nor does the private key that a request carried.
func TestSecrets_areNowhere(t *testing.T) {
	t.Parallel()
	keys := newPrivateKeys(t)
	for place, answer := range places {
		t.Run(place, func(t *testing.T) {
			t.Parallel()
			var text string
			log, lines := newLog()
			client := serve(t, func(w http.ResponseWriter, r *http.Request) { answer(w, r, text) }, log, func(c *Config) {
				c.APIKey, c.Headers, c.MaxRetries = longKey, map[string]string{"X-Gateway": longHeader}, 0
			})
			for source, secret := range map[string]string{"API key": longKey, "header": longHeader} {
				text = secret
				printed := lines()
				for what, err := range everyCall(t, client, keys["PKCS8 RSA"]) {
					if err == nil {
						continue
					}
					printed += "\n" + errorTexts(err)
					if len(err.Error()) > 5000 {
						t.Errorf("%s, %s: %d characters", source, what, len(err.Error()))
					}
				}
				if printed += lines(); strings.Contains(printed, secret) {
					t.Fatalf("%s is in %.600s", source, around(printed, secret))
				}
			}
			if place == "id" {
				return // an id is no message, and may be as long as the encoding of a short key
			}
			for name, key := range keys {
				text = key
				_, err := TLSCertificates.Of(client).Create(t.Context(), TLSCertificateCreate{CertificatePEM: "c", PrivateKeyPEM: key})
				if err == nil {
					continue // an id
				}
				if printed := errorTexts(err) + lines(); repeats(printed, key) {
					t.Fatalf("%s is in %.600s", name, around(printed, key))
				}
			}
		})
	}
}

// around returns the part of text that repeats written.
func around(text, written string) string {
	for at := 0; at+24 <= len(written); at++ {
		if i := strings.Index(text, written[at:at+24]); i >= 0 {
			return text[max(0, i-200):min(len(text), i+200)]
		}
	}
	return text
}

// everyCall makes one call of each kind and returns the errors.
func everyCall(t *testing.T, client *Client, key string) map[string]error {
	t.Helper()
	ctx := t.Context()
	_, read := SSHCredentials.Of(client).Read(ctx, "x", time.Time{})
	_, created := TLSCertificates.Of(client).Create(ctx, TLSCertificateCreate{CertificatePEM: "c", PrivateKeyPEM: key})
	_, credential := SSHCredentials.Of(client).Create(ctx, SSHCredentialCreate{})
	_, updated := SSHCredentials.Of(client).Update(ctx, "x", SSHCredentialUpdate{})
	_, list := listIDs(t, client)
	_, source := EventSources.Of(client, "s").Create(ctx, EventSourceCreate{Type: "a.v0"})
	_, module := TLSEdgePolicy.Of(client, "e").Get(ctx, false)
	_, put := Compression.Of(client, "e", "r").Put(ctx, RouteModule{})
	return map[string]error{
		"read": read, "create": created, "create credential": credential, "update": updated, "list": list, "source": source,
		"module": module, "put": put, "delete": deletion(SSHCredentials.Of(client).Delete(ctx, "x", time.Time{})),
	}
}
