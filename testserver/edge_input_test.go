package testserver

import (
	"strings"
	"testing"
	"unicode"
)

// TestControlEndpoints_limitBodies sends bodies over 1 MiB to every control endpoint that
// reads one. Each is valid JSON, so that only its size is wrong.
func TestControlEndpoints_limitBodies(t *testing.T) {
	t.Parallel()
	s := Start(t)
	large := strings.Repeat(" ", 1<<20)
	for path, body := range map[string]string{
		"reset": `{"keep_objects":true}`, "expect": `[{"only":true,"method":"GET"}]`, "behavior": `[]`,
		"clock": `{"frozen":false}`, "objects/reserved_addrs": `{}`, "snapshots/a": `{}`,
	} {
		got := want(t, s, 413, "POST", "/_testserver/"+path, body+large)
		if !strings.Contains(got.raw, "the request body is larger than 1 MiB") {
			t.Errorf("%s: %s", path, got.raw)
		}
	}
	equal(t, "objects", len(s.List("/reserved_addrs")), 0)
	want(t, s, 413, "DELETE", "/_testserver/objects/reserved_addrs/none", large+large)
	want(t, s, 401, "POST", "/_testserver/reset", large+large, as("wrong"))
}

// TestSeed_errorsArePrintable seeds objects with texts that a terminal could interpret,
// in every place that an error names.
func TestSeed_errorsArePrintable(t *testing.T) {
	t.Parallel()
	const escape = `\u001b[31m\u009b\u202e\r\n::error::`
	for _, seed := range []string{
		`[{"path":"/reserved_addrs","body":{"` + escape + `":1}}]`,
		`[{"path":"/reserved_addrs` + escape + `","body":{}}]`,
		`[{"path":"/reserved_addrs","` + escape + `":{}}]`,
		`[{"path":"/backends/tunnel_group","body":{"labels":{"` + escape + `":1}}}]`,
		`[{"path":"/edges/https","body":{"routes":[{"` + escape + `":1}]}}]`,
		`[{"path":"/edges/https","body":{"` + escape + `":1,"` + escape + `":1}}]`,
		`[{"path":"/edges/tls","body":{"policy":{"inbound":[{"` + escape + `":1}]}}}]`,
		`[{"path":"/reserved_domains","body":{"domain":"` + escape + `"}},{"path":"/reserved_domains","body":{"domain":"` + escape + `"}}]`,
		`[{"path":"/event_subscriptions","body":{"sources":[{"type":"` + escape + `"},{"type":"` + escape + `"}]}}]`,
	} {
		err := Start(t).Seed([]byte(seed))
		if err == nil || strings.ContainsFunc(err.Error(), func(c rune) bool { return !unicode.IsPrint(c) }) {
			t.Errorf("%s: %q", seed, err)
		}
	}
}

// TestExport_deepestObject exports a policy of the maximum depth, and seeds another
// server with it.
func TestExport_deepestObject(t *testing.T) {
	t.Parallel()
	s := Start(t)
	const levels = 64 - 6 // of the body around it
	config := strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
	for _, path := range []string{"/edges/tls/" + s.Parents.TLSEdge, "/edges/tcp/" + s.Parents.TCPEdge} {
		s.Put(path+"/policy", `{"inbound":[{"actions":[{"type":"log","config":{"metadata":`+config+`}}]}]}`)
	}
	want(t, s, 200, "GET", "/_testserver/export", "")
	other := Start(t)
	if err := other.Seed(s.Export()); err != nil {
		t.Fatal(err)
	}
	equal(t, "export", string(other.Export()), string(s.Export()))
}

// TestFileText_oneMeaning reads every kind of file in the forms in which editors write
// it: with a byte order mark, and with CRLF.
func TestFileText_oneMeaning(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]struct {
		text string
		read func(text []byte) error
	}{
		"seed":    {"[\n  {\"path\": \"/backends/tunnel_group\", \"body\": {\"labels\": {\"a\": \"b\"}}}\n]\n", func(text []byte) error { return New().Seed(text) }},
		"account": {"{\n  \"objects\": []\n}\n", func(text []byte) error { return New().Seed(text) }},
		"rules": {"[\n  {\"behavior\": \"503\"}\n]\n", func(text []byte) error {
			_, err := ParseRules(text)
			return err
		}},
	} {
		windows := strings.ReplaceAll(file.text, "\n", "\r\n")
		for _, text := range []string{file.text, "\ufeff" + file.text, windows, "\ufeff" + windows, strings.TrimSpace(file.text)} {
			if err := file.read([]byte(text)); err != nil {
				t.Errorf("%s %q: %s", name, text, err)
			}
		}
	}
}
