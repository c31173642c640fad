package testserver

import (
	"fmt"
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
	child := s.CreateOtherBackend()
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

func TestList_pagesNewestFirst(t *testing.T) {
	t.Parallel()
	s := Start(t)
	ids := s.SeedSSHCredentials(250)
	for limit, pages := range map[int]int{100: 3, 70: 4, 50: 5, 1: 250} {
		var seen []string
		uri, count := fmt.Sprintf("/ssh_credentials?limit=%d", limit), 0
		for ; uri != ""; count++ {
			page := want(t, s, 200, "GET", strings.TrimPrefix(uri, s.URL), "")
			equal(t, "uri of the list", page.text("uri"), s.URL+"/ssh_credentials")
			for _, object := range page.body["ssh_credentials"].([]any) {
				seen = append(seen, object.(map[string]any)["id"].(string))
			}
			if uri = page.text("next_page_uri"); uri != "" && !strings.HasPrefix(uri, s.URL+"/ssh_credentials?") {
				t.Fatalf("next_page_uri is %s", uri)
			}
		}
		equal(t, "number of pages", count, pages)
		if len(seen) != len(ids) {
			t.Fatalf("%d objects are listed, want %d", len(seen), len(ids))
		}
		for i := range seen {
			if seen[i] != ids[len(ids)-1-i] {
				t.Fatalf("object %d is %s, want %s", i, seen[i], ids[len(ids)-1-i])
			}
		}
	}
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
