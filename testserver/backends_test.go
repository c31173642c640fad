package testserver

import (
	"slices"
	"strings"
	"testing"
)

func children(ids ...string) string {
	return asJSON(map[string]any{"backends": append([]string{}, ids...)})
}

// An update that omits the children clears them, unless it sets nothing.
func TestFailoverBackend_omittedChildren(t *testing.T) {
	t.Parallel()
	s := Start(t)
	child := s.Create("/backends/http_response", "{}")
	path := "/backends/failover/" + s.Create("/backends/failover", children(child))
	for body, kept := range map[string]bool{`{}`: true, `{"description":null}`: true, `{"backends":null}`: false, `{"description":"d"}`: false} {
		s.Edit(path, children(child))
		want := []string{}
		if kept {
			want = append(want, child)
		}
		s.Edit(path, body)
		equal(t, "backends after "+body, s.Get(path)["backends"], want)
	}
}

func TestFailoverBackend_refusesCycles(t *testing.T) {
	t.Parallel()
	s := Start(t)
	one := s.Create("/backends/failover", children())
	two := s.Create("/backends/failover", children(one))
	for _, child := range []string{one, two} {
		equal(t, "field", want(t, s, 400, "PATCH", "/backends/failover/"+one, children(child)).field(), "backends[0]")
	}
}

func TestList_pagesNewestFirst(t *testing.T) {
	t.Parallel()
	s := Start(t)
	ids := s.SeedSSHCredentials(250)
	var seen []string
	for path := "/ssh_credentials?limit=70"; path != ""; {
		page := want(t, s, 200, "GET", path, "")
		for _, object := range page.body["ssh_credentials"].([]any) {
			seen = append(seen, object.(map[string]any)["id"].(string))
		}
		path = strings.TrimPrefix(page.text("next_page_uri"), s.URL)
	}
	slices.Reverse(seen)
	equal(t, "objects", seen, ids)
	first := want(t, s, 200, "GET", "/ssh_credentials", "")
	equal(t, "default page", len(first.body["ssh_credentials"].([]any)), 100)

	s.Delete("/ssh_credentials/" + ids[100])
	page := want(t, s, 200, "GET", "/ssh_credentials?limit=1&before_id="+ids[100], "")
	equal(t, "what follows a deleted object", page.body["ssh_credentials"].([]any)[0].(map[string]any)["id"], ids[99])
	last := want(t, s, 200, "GET", "/ssh_credentials?before_id="+ids[0], "")
	equal(t, "what follows the oldest", last.body["ssh_credentials"], []any{})
	if next, there := last.body["next_page_uri"]; next != nil || !there {
		t.Errorf("next_page_uri of the last page is %v, there: %v", next, there)
	}
}
