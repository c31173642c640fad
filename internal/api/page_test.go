package api

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// listIDs reads a list and returns the ids and the error that ends it, if any.
func listIDs(t *testing.T, client *Client) (ids []string, err error) {
	t.Helper()
	for object, failed := range SSHCredentials.Of(client).List(t.Context()) {
		if failed != nil {
			return ids, failed
		}
		ids = append(ids, object.ID)
	}
	return ids, nil
}

func TestList_followsPages(t *testing.T) {
	t.Parallel()
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		page := map[string]any{"uri": "u", "more": map[string]any{"deep": []int{1}}}
		switch r.URL.Query().Get("before_id") {
		case "":
			page["ssh_credentials"] = []map[string]any{{"id": "a", "new_field": 1}, {"id": "b"}}
			page["next_page_uri"] = "http://" + r.Host + "/ssh_credentials?before_id=b"
		case "b":
			page["ssh_credentials"] = nil
			page["next_page_uri"] = "http://" + r.Host + "/ssh_credentials?before_id=c"
		default:
			page["ssh_credentials"] = []map[string]any{{"id": "c", "acl": nil}}
			page["next_page_uri"] = nil
		}
		json.NewEncoder(w).Encode(page)
	})
	if ids, err := listIDs(t, client); err != nil || strings.Join(ids, " ") != "a b c" {
		t.Errorf("got %v, %v", ids, err)
	}
}

// TestList_ofTheSamePagesEnds checks that a service whose every link is new, but
// whose pages repeat, gets few requests, and that pages that overlap are no error.
func TestList_ofTheSamePagesEnds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		distinct, pages int // pages with the same object, before the last one
		fails           bool
	}{{1, maxRepeated + 1, true}, {1, maxRepeated, false}, {2, maxRepeated + 1, false}} {
		client := New(testConfig(t, "http://api.example.com"))
		pages := 0
		client.http.Transport = answers(func(*http.Request) (int, string) {
			id, next := max(0, pages-maxRepeated+test.distinct-1), "null"
			if pages++; pages <= test.pages {
				next = fmt.Sprintf(`"?page=%d"`, pages)
			}
			return 200, fmt.Sprintf(`{"ssh_credentials":[{"id":"c%d"}],"next_page_uri":%s}`, id, next)
		})
		ids, err := listIDs(t, client)
		if test.fails != (err != nil) || pages != maxRepeated+1 && test.fails {
			t.Errorf("%+v: %d pages, objects %v, error %v", test, pages, ids, err)
		}
		if err != nil {
			contains(t, err.Error(), "pagination does not end", "10 pages in a row contain no new object")
		}
	}
}

func TestList_withoutAnEndIsAnError(t *testing.T) {
	t.Parallel()
	client := New(testConfig(t, "http://api.example.com"))
	pages := 0
	client.http.Transport = answers(func(*http.Request) (int, string) {
		pages++
		return 200, fmt.Sprintf(`{"ssh_credentials":[],"next_page_uri":"http://api.example.com/ssh_credentials?n=%d"}`, pages)
	})
	_, err := listIDs(t, client)
	if err == nil || pages != maxPages {
		t.Fatalf("after %d pages: %v", pages, err)
	}
	contains(t, err.Error(), "pagination does not end")
}

// answers is an in-process transport.
type answers func(*http.Request) (status int, body string)

func (a answers) RoundTrip(req *http.Request) (*http.Response, error) {
	status, text := a(req)
	return &http.Response{
		StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(text)),
	}, nil
}

func TestList_thatIsBrokenIsAnError(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"circle":            `{"ssh_credentials":[],"next_page_uri":"BASE/ssh_credentials"}`,
		"no field":          `{"items":[]}`,
		"no object":         `[]`,
		"no JSON":           `<html>`,
		"cut in an item":    `{"ssh_credentials":[{"id":"a"`,
		"cut in a list":     `{"ssh_credentials":[{"id":"a"}`,
		"cut after a comma": `{"ssh_credentials":[{"id":"a"},`,
		"cut after a list":  `{"ssh_credentials":[{"id":"a"}]`,
		"cut in a name":     `{"ssh_cred`,
		"cut at a value":    `{"ssh_credentials":`,
		"cut in another":    `{"ssh_credentials":[],"x":{"a`,
		"cut in a URI":      `{"ssh_credentials":[],"next_page_uri":"http`,
		"only a brace":      `{`,
		"followed":          `{"ssh_credentials":[]}{}`,
		"wrong type":        `{"ssh_credentials":[{"id":5}]}`,
		"wrong item":        `{"ssh_credentials":["a"]}`,
		"null item":         `{"ssh_credentials":[null]}`,
		"no id":             `{"ssh_credentials":[{}]}`,
		"bad id":            `{"ssh_credentials":[{"id":"../x"}]}`,
		"no array":          `{"ssh_credentials":{}}`,
		"next is 5":         `{"ssh_credentials":[],"next_page_uri":5}`,
		"empty":             ``,
	} {
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, strings.ReplaceAll(body, "BASE", "http://"+r.Host))
		}, func(c *Config) { c.MaxRetries = 0 })
		_, err := listIDs(t, client)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		contains(t, err.Error(), "list SSH credentials: ")
		readsAsASentence(t, err)
	}
}

// The API key is not sent to another origin, whatever a page contains.
func TestList_staysWithItsOrigin(t *testing.T) {
	t.Parallel()
	for _, next := range []string{
		"https://evil.example/ssh_credentials", "https://api.example.com:444/x", "https://api.example.com.evil.example/", "https://api.example.com@evil.example/",
		"http://169.254.169.254/latest", "file:///etc/passwd", "//evil.example/x", "gopher://x", "HTTP://127.0.0.1:1/", "/ssh_credentials?n=1", "?n=1", "%zz", "http://", ":",
	} {
		client := New(testConfig(t, "https://api.example.com", func(c *Config) { c.MaxRetries = 0 }))
		client.http.Transport = chain(testConfig(t, "https://api.example.com"), client.secrets, answers(func(r *http.Request) (int, string) {
			if r.URL.Host != "api.example.com" || r.URL.Scheme != "https" {
				t.Errorf("%s: asked for %s", next, r.URL)
			}
			text, _ := json.Marshal(map[string]any{"ssh_credentials": []any{}, "next_page_uri": next})
			return 200, string(text)
		}))
		_, err := listIDs(t, client)
		if err == nil {
			t.Errorf("%s: got %v", next, err)
		}
	}
}

// A gateway has an address and a path of its own, and does not rewrite the links of the
// service behind it. Only the query of a link counts.
func TestPages_behindAGateway(t *testing.T) {
	t.Parallel()
	for _, link := range []string{
		"https://service.internal:8443/ssh_credentials?before_id=b", "http://service.internal/api/v2/ssh_credentials?before_id=b",
		"//service.internal/ssh_credentials?before_id=b", "/ssh_credentials?before_id=b", "/prefix/ssh_credentials?before_id=b", "ssh_credentials?before_id=b",
		"?before_id=b", "https://service.internal/ssh_credentials?before_id=b#page-2",
	} {
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path + "?" + r.URL.RawQuery {
			case "/prefix/ssh_credentials?":
				apiError(w, 200, fmt.Sprintf(`{"ssh_credentials":[{"id":"a"}],"next_page_uri":%q}`, link))
			case "/prefix/ssh_credentials?before_id=b":
				apiError(w, 200, `{"ssh_credentials":[{"id":"b"}],"next_page_uri":null}`)
			default:
				t.Errorf("%s: asked for %s", link, r.URL)
				w.WriteHeader(404)
			}
		}, func(c *Config) { c.BaseURL = c.BaseURL.JoinPath("prefix") })
		if ids, err := listIDs(t, client); err != nil || !slices.Equal(ids, []string{"a", "b"}) {
			t.Errorf("%s: got %v, %v", link, ids, err)
		}
	}
}
