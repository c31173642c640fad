package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
)

func TestCollection_answerAboutSomethingElseIsAnError(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"no id": `{}`, "null": `null`, "another": `{"id":"y"}`, "HTML": `<html>`, "number for string": `{"id":"x","description":5}`, "empty": ``,
		"cut": `{"id":"x"`, "cut in a string": `{"id":"x`, "only a brace": `{`, "followed": `{"id":"x"}{}`,
	} {
		client := serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }, func(c *Config) { c.MaxRetries = 0 })
		_, get := client.SSHCredentials().Read(t.Context(), "x")
		_, update := client.SSHCredentials().Update(t.Context(), "x", SSHCredentialUpdate{})
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
		_, get := client.SSHCredentials().Get(t.Context(), "x")
		_, create := client.SSHCredentials().Create(t.Context(), SSHCredentialCreate{})
		_, source := client.EventSources("s").Create(t.Context(), EventSourceCreate{Type: "a.v0"})
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
	credentials, sources := client.SSHCredentials(), client.EventSources("a")
	if client.SSHCredentials() != credentials || client.EventSources("a") != sources || client.EventSources("b") == sources {
		t.Error("a collection is made more than once, or shared by two paths")
	}
}

func TestExists_namesTheObjectWithTheSameKey(t *testing.T) {
	t.Parallel()
	const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHXpJ0pGjEIJ8LTvVR4E8VrzyBVvEBp0AIMKOvJMCkFW"
	const other = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	credential := func(ctx context.Context, c *Client) error {
		_, err := c.SSHCredentials().Create(ctx, SSHCredentialCreate{PublicKey: key + " me@here"})
		return err
	}
	source := func(ctx context.Context, c *Client) error {
		_, err := c.EventSources("s").Create(ctx, EventSourceCreate{Type: "a.v0"})
		return err
	}
	backend := func(ctx context.Context, c *Client) error {
		_, err := c.FailoverBackends().Create(ctx, FailoverBackendCreate{Backends: []string{}})
		return err
	}
	credentials := body(200, `{"ssh_credentials":[{"id":"sshcr_1","public_key":"`+other+`"},{"id":"sshcr_2","public_key":"`+key+` you@there","acl":["x"]}]}`)
	for name, test := range map[string]struct {
		create  func(context.Context, *Client) error
		refusal http.HandlerFunc
		list    http.HandlerFunc
		id      string // "" if Create returns the refusal
		lists   int
	}{
		"credential":          {credential, body(400, `{"error_code":"ERR_TUNNEL_609","msg":"taken","details":{"field":"public_key","operation_id":"op_1"}}`), credentials, "sshcr_2", 1},
		"without a code":      {credential, body(400, `{"msg":"taken"}`), credentials, "sshcr_2", 1},
		"conflict":            {credential, body(409, `{"msg":"taken"}`), credentials, "sshcr_2", 1},
		"event source":        {source, body(409, `{"msg":"has it"}`), body(200, `{"sources":[{"type":"b.v0"},{"type":"a.v0"}]}`), "a.v0", 1},
		"event source, 400":   {source, body(400, `{"msg":"has it"}`), body(200, `{"sources":[{"type":"a.v0"}]}`), "a.v0", 1},
		"other key":           {credential, body(400, `{"msg":"bad acl"}`), body(200, `{"ssh_credentials":[{"id":"sshcr_1","public_key":"`+other+`"}]}`), "", 1},
		"list is empty":       {credential, body(400, `{"msg":"bad acl"}`), body(200, `{"ssh_credentials":[]}`), "", 1},
		"list fails":          {credential, body(400, `{"msg":"taken"}`), body(403, `{"msg":"no lists"}`), "", 1},
		"list is no list":     {credential, body(400, `{"msg":"taken"}`), body(200, `{}`), "", 1},
		"list item is wrong":  {credential, body(400, `{"msg":"taken"}`), body(200, `{"ssh_credentials":[{"id":"../x","public_key":"`+key+`"}]}`), "", 1},
		"404":                 {source, body(404, notFound), body(200, `{"sources":[{"type":"a.v0"}]}`), "", 0},
		"403":                 {credential, body(403, `{"msg":"no"}`), credentials, "", 0},
		"422":                 {credential, body(422, `{"msg":"no"}`), credentials, "", 0},
		"kind without a key":  {backend, body(400, `{"msg":"no"}`), body(200, `{"backends":[{"id":"a"}]}`), "", 0},
		"kind without a key2": {backend, body(409, `{"msg":"no"}`), body(200, `{"backends":[{"id":"a"}]}`), "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			posts, lists := 0, 0
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					posts++
					test.refusal(w, r)
					return
				}
				lists++
				test.list(w, r)
			})
			err := test.create(t.Context(), client)
			existing, ok := errors.AsType[*ExistsError](err)
			answer, answered := errors.AsType[*Error](err)
			if ok != (test.id != "") || ok && existing.ID != test.id || posts != 1 || lists != test.lists || !answered {
				t.Fatalf("got %+v, %v after %d POSTs and %d lists", existing, err, posts, lists)
			}
			contains(t, err.Error(), "create ", answer.Error())
		})
	}
}
