package api

import (
	"encoding/json"
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
		"GET /edges/tls/edgtls_1/policy": func() error { _, err := TLSEdgePolicy.Of(client, "edgtls_1").Get(t.Context(), false); return err },
		"PUT /edges/tcp/a%20b%25/policy": func() error {
			_, err := TCPEdgePolicy.Of(client, "a b%").Put(t.Context(), EdgePolicy{})
			return err
		},
		"DELETE /edges/https/e/routes/r/compression": func() error { return deletion(Compression.Of(client, "e", "r").Delete(t.Context())) },
		"GET /edges/https/e%3F/routes/r%23/websocket_tcp_converter": func() error {
			_, err := WebsocketTCPConverter.Of(client, "e?", "r#").Get(t.Context(), false)
			return err
		},
		"GET /event_subscriptions/esb_1/sources/a.v0": func() error {
			_, err := EventSources.Of(client, "esb_1").Read(t.Context(), "a.v0", time.Time{})
			return err
		},
	} {
		if err := read(); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if path != want {
			t.Errorf("asked for %s, want %s", path, want)
		}
	}
}

func TestModule_leavesTheConfigOfAnActionAlone(t *testing.T) {
	t.Parallel()
	const config = `{"z":1.0,"a":12345678901234567890,"m":{"e":1e5,"list":[0.10,null]},"html":"<a&b>"}`
	var sent []byte
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sent, _ = io.ReadAll(r.Body)
		w.Write(sent) //nolint:errcheck // the client notices
	})
	answer, err := TCPEdgePolicy.Of(client, "edgtcp_1").Put(t.Context(), EdgePolicy{
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
