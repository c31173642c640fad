package testserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"
)

// seenStrangers are services whose mistakes clients meet: addresses with another scheme,
// objects that are not cleared, and what is left after a deletion.
func seenStrangers() map[string]stranger {
	const domains, edges, credentials = "/reserved_domains", "/edges/https", "/ssh_credentials"
	used := map[string]bool{} // public keys of deleted credentials
	patches := map[string]int{}
	return map[string]stranger{
		"pages with another scheme": {groups, "a next_page_uri that is an address of the same list", inList(func(list map[string]any, _ url.Values) {
			if next, isText := list["next_page_uri"].(string); isText {
				list["next_page_uri"] = strings.Replace(next, "http://", "https://", 1)
			}
		})},
		"null keeps a certificate": {domains, "that null clears certificate_id", changedRequests(http.MethodPatch, func(body map[string]any) {
			if value, given := body["certificate_id"]; given && value == nil {
				delete(body, "certificate_id")
			}
		})},
		"an edge without its routes": {edges, "an edge that shows each route", anyResponse(func(r *http.Request, w *httptest.ResponseRecorder) {
			if r.Method == http.MethodGet {
				eachObject(w, func(members map[string]any) {
					if members["routes"] != nil {
						members["routes"] = []any{}
					}
				})
			}
		})},
		"created_at that moves slowly": {credentials, "created_at of the creation|created_at|that nothing changes", remembering(
			func(_ *memory, r *http.Request, serve serving) *httptest.ResponseRecorder {
				got := serve()
				if r.Method == http.MethodPatch && got.Code == http.StatusOK {
					patches[r.URL.Path]++
				}
				eachObject(got, func(members map[string]any) {
					if created, err := time.Parse(time.RFC3339, fmt.Sprint(members["created_at"])); err == nil {
						moved := created.Add(time.Duration(patches[credentials+"/"+text(members["id"])]) * 300 * time.Millisecond)
						members["created_at"] = moved.Format(time.RFC3339)
					}
				})
				return got
			})},
		"a key stays used": {credentials, "the public_key of a deleted object|status 201, found status 409", around("", credentials,
			func(s *Server, r *http.Request, body string, serve serving) *httptest.ResponseRecorder {
				var sent map[string]any
				_ = json.Unmarshal([]byte(body), &sent)
				if r.Method == http.MethodDelete {
					if key := text(decodeAnswer(inner(s, http.MethodGet, r.URL.Path, "").Body.Bytes())["public_key"]); key != "" {
						used[strings.Join(strings.Fields(key)[:2], " ")] = true
					}
				}
				if fields := strings.Fields(text(sent["public_key"])); r.Method == http.MethodPost && len(fields) > 1 && used[fields[0]+" "+fields[1]] {
					return inner(s, http.MethodPost, credentials, `{"public_key":"`+text(sent["public_key"])+`","metadata":1}`)
				}
				return serve()
			})},
	}
}
