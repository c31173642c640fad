package api

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"
)

func TestModule_isAtItsParentsAddress(t *testing.T) {
	t.Parallel()
	var path string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		path = r.Method + " " + r.URL.EscapedPath()
		if r.Method == http.MethodDelete {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		io.WriteString(w, `{"enabled":true,"type":"a.v0"}`)
	})
	for want, read := range map[string]func() error{
		"GET /edges/tls/edgtls_1/policy": func() error { _, err := client.TLSEdgePolicy("edgtls_1").Get(t.Context()); return err },
		"PUT /edges/tcp/a%20b%25/policy": func() error {
			_, err := client.TCPEdgePolicy("a b%").Put(t.Context(), EdgePolicy{})
			return err
		},
		"DELETE /edges/https/e/routes/r/compression": func() error { return client.Compression("e", "r").Delete(t.Context()) },
		"GET /edges/https/e%3F/routes/r%23/websocket_tcp_converter": func() error {
			_, err := client.WebsocketTCPConverter("e?", "r#").Get(t.Context())
			return err
		},
		"GET /event_subscriptions/esb_1/sources/a.v0": func() error { _, err := client.EventSources("esb_1").Get(t.Context(), "a.v0"); return err },
	} {
		if err := read(); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if path != want {
			t.Errorf("asked for %s, want %s", path, want)
		}
	}
}

// Several responses mean that a module is not set. No other response may count
// as one of them, because a creation would overwrite the existing module.
func TestModule_isNotSetOnlyIfTheAnswerSaysSo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		body   string
		gone   bool // if there is a proof
	}{
		{200, "null", true},
		{200, " {} \n", true},
		{404, notFound, true},
		{404, "<html>Not Found</html>", false},
		{404, "", false},
		{404, "{}", false},
		{200, "", false},
		{200, "[]", false},
		{200, `""`, false},
		{200, "{", false},
		{200, "nullnull", false},
		{200, "<html></html>", false},
		{204, "", false},
		{400, notFound, false},
	} {
		for _, proof := range []string{`{"backends":[]}`, `{}`} {
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == rootList.path {
					apiError(w, 200, proof)
					return
				}
				apiError(w, c.status, c.body)
			}, func(c *Config) { c.MaxRetries = 0 })
			_, err := client.TLSEdgePolicy("edgtls_1").Get(t.Context())
			if err == nil || IsGone(err) != (c.gone && proof != `{}`) {
				t.Errorf("%d %q with %s in the list: %v", c.status, c.body, proof, err)
				continue
			}
			readsAsASentence(t, err)
		}
	}
}

func TestModule_putOfUnknownOutcome(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		get  http.HandlerFunc
		ids  int
		look string
	}{
		"set":     {body(200, `{"enabled":true}`), 1, ""},
		"not set": {body(404, notFound), 0, ""},
		"unknown": {body(403, `{"msg":"not you"}`), 0, "403 Forbidden"},
		"hangs":   {func(http.ResponseWriter, *http.Request) { time.Sleep(time.Minute) }, 0, "read compression"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			puts := 0
			inBubble(t, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case r.URL.Path == rootList.path:
					apiError(w, 200, `{"backends":[]}`)
				case r.Method == http.MethodGet:
					test.get(w, r)
				default:
					puts++
					apiError(w, 503, `{"msg":"oh"}`)
				}
			}, func(t *testing.T, client *Client) {
				_, err := client.Compression("e", "r").Put(t.Context(), RouteModule{})
				outcome, ok := errors.AsType[*UnknownOutcomeError](err)
				if !ok || len(outcome.IDs) != test.ids || (outcome.Look != nil) != (test.look != "") || puts != 3 {
					t.Fatalf("got %+v, %v after %d PUTs", outcome, err, puts)
				}
				if test.ids == 1 && outcome.IDs[0] != "r" {
					t.Errorf("named %v", outcome.IDs)
				}
				if outcome.Look != nil {
					contains(t, outcome.Look.Error(), test.look)
					readsAsASentence(t, outcome.Look)
				}
			})
		})
	}
}

func TestModule_putIsRepeatedUntilTheAnswerIsThere(t *testing.T) {
	t.Parallel()
	puts := 0
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if puts++; puts < 3 {
			hangUp(w)
			return
		}
		io.WriteString(w, `{"enabled":true}`)
	})
	if module, err := client.Compression("e", "r").Put(t.Context(), RouteModule{}); err != nil || !*module.Enabled || puts != 3 {
		t.Errorf("got %v, %v after %d PUTs", module, err, puts)
	}
}

func TestModule_leavesTheConfigOfAnActionAlone(t *testing.T) {
	t.Parallel()
	const config = `{"z":1.0,"a":12345678901234567890,"m":{"e":1e5,"list":[0.10,null]}}`
	var sent []byte
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sent, _ = io.ReadAll(r.Body)
		w.Write(sent) //nolint:errcheck // the client notices
	})
	answer, err := client.TCPEdgePolicy("edgtcp_1").Put(t.Context(), EdgePolicy{
		Enabled: new(bool),
		Inbound: []EndpointRule{{Expressions: []string{"true"}, Actions: []EndpointAction{{Type: "log", Config: json.RawMessage(config)}, {Type: "deny"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"enabled":false,"inbound":[{"expressions":["true"],"actions":[{"type":"log","config":` + config + `},{"type":"deny"}]}],"outbound":null}`
	if string(sent) != want {
		t.Errorf("sent %s\nwant %s", sent, want)
	}
	if got := string(answer.Inbound[0].Actions[0].Config); got != config {
		t.Errorf("got %s, want %s", got, config)
	}
}
