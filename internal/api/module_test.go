package api

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"
)

func TestModulesAreAtTheirParentsAddress(t *testing.T) {
	t.Parallel()
	var path string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		path = r.Method + " " + r.URL.EscapedPath()
		io.WriteString(w, `{"enabled":true,"type":"a.v0"}`)
	})
	for want, read := range map[string]func() error{
		"GET /edges/tls/edgtls_1/policy": func() error { _, err := client.TLSEdgePolicy("edgtls_1").Get(t.Context()); return err },
		"PUT /edges/tcp/a%2F..%2Fb/policy": func() error {
			_, err := client.TCPEdgePolicy("a/../b").Put(t.Context(), EdgePolicy{})
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

func TestParentsThatWouldLeaveTheirPathAreNotSent(t *testing.T) {
	t.Parallel()
	client := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	for _, id := range []string{"", ".", ".."} {
		if _, err := client.TLSEdgePolicy(id).Get(t.Context()); err == nil || IsGone(err) {
			t.Errorf("%q: read: %v", id, err)
		}
		if _, err := client.Compression("e", id).Put(t.Context(), RouteModule{}); err == nil {
			t.Errorf("%q was taken for an id to put", id)
		}
		if err := client.WebsocketTCPConverter(id, "r").Delete(t.Context()); err == nil || IsGone(err) {
			t.Errorf("%q: delete: %v", id, err)
		}
		if _, err := client.EventSources(id).Create(t.Context(), EventSourceCreate{Type: "a.v0"}); err == nil {
			t.Errorf("%q was taken for a subscription", id)
		}
	}
}

// A module that is not set is told in several ways; anything that is none of
// them must not pass for one, or a creation would overwrite what is there.
func TestOnlyAnAnswerThatSaysSoMeansNotSet(t *testing.T) {
	t.Parallel()
	var status int
	var body string
	client := serve(t, func(w http.ResponseWriter, _ *http.Request) { apiError(w, status, body) })
	for _, c := range []struct {
		status int
		body   string
		gone   bool
	}{
		{200, "null", true},
		{200, " {} \n", true},
		{404, gone, true},
		{404, "<html>Not Found</html>", false},
		{404, "", false},
		{404, "{}", false},
		{200, "", false},
		{200, "[]", false},
		{200, `""`, false},
		{200, "<html></html>", false},
		{400, gone, false},
	} {
		status, body = c.status, c.body
		_, err := client.TLSEdgePolicy("edgtls_1").Get(t.Context())
		if err == nil || IsGone(err) != c.gone {
			t.Errorf("%d %q: %v, want gone: %v", c.status, c.body, err, c.gone)
		}
	}
}

func TestConfigOfAnActionIsNotTouchedOnItsWay(t *testing.T) {
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
