package api

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestCollection_answerAboutSomethingElseIsAnError(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"no id": `{}`, "null": `null`, "another": `{"id":"y"}`, "HTML": `<html>`, "number for string": `{"id":"x","description":5}`, "empty": ``,
		"cut": `{"id":"x"`, "cut in a string": `{"id":"x`, "only a brace": `{`, "followed": `{"id":"x"}{}`,
	} {
		client := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }, func(c *Config) { c.MaxRetries = 0 })
		_, get := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{})
		_, update := SSHCredentials.Of(client).Update(t.Context(), "x", SSHCredentialUpdate{})
		for _, err := range []error{get, update} {
			if err == nil || IsGone(err) {
				t.Errorf("%s: got %v", name, err)
				continue
			}
			readsAsASentence(t, err)
		}
	}
}

// An id that is not valid in a path, or that repeats a secret, is rejected
// before it is printed.
func TestCollection_refusesBadIDs(t *testing.T) {
	t.Parallel()
	ids := map[string]string{"the API key": testKey, "part of a URL": "https://evil.example/x"}
	maps.Copy(ids, badIDs)
	for name, id := range ids {
		if name == "not UTF-8" {
			continue // JSON cannot represent such a string
		}
		text, err := json.Marshal(map[string]string{"id": id, "type": id})
		if err != nil {
			t.Fatal(err)
		}
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/ssh_credentials" && r.Method == http.MethodGet:
				fmt.Fprintf(w, `{"ssh_credentials":[%s]}`, text)
			case strings.HasSuffix(r.URL.Path, "/sources") && r.Method == http.MethodGet:
				fmt.Fprintf(w, `{"sources":[%s]}`, text)
			default:
				_, _ = w.Write(text)
			}
		}, withBulk)
		_, get := SSHCredentials.Of(client).Read(t.Context(), "x", time.Time{})
		_, create := SSHCredentials.Of(client).Create(t.Context(), SSHCredentialCreate{})
		_, source := EventSources.Of(client, "s").Create(t.Context(), EventSourceCreate{Type: "a.v0"})
		_, list := listIDs(t, client)
		for what, err := range map[string]error{"get": get, "create": create, "list": list, "source": source} {
			if err == nil {
				t.Errorf("%s, %s: no error", name, what)
				continue
			}
			if strings.ContainsFunc(err.Error(), unfit) || strings.Contains(err.Error(), testKey) || len(err.Error()) > 500 {
				t.Errorf("%s, %s: %q", name, what, err)
			}
		}
	}
}

func TestCollection_isOneForAPath(t *testing.T) {
	t.Parallel()
	client := New(testConfig(t, "http://localhost"))
	credentials, sources := SSHCredentials.Of(client), EventSources.Of(client, "a")
	if SSHCredentials.Of(client) != credentials || EventSources.Of(client, "a") != sources || EventSources.Of(client, "b") == sources {
		t.Error("a collection is made more than once, or shared by two paths")
	}
}
