package testserver

import (
	"strings"
	"testing"
)

func TestAPIKey_identifiesItsOwner(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	s := Start(t, WithStore(store))
	bot := s.Create("/bot_users", `{"name":"ci"}`)
	made := want(t, s, 201, "POST", "/api_keys", `{"owner_id":"`+bot+`","description":"CI"}`)
	token, path := made.text("token"), "/api_keys/"+made.text("id")

	credential := want(t, s, 201, "POST", "/ssh_credentials", newCredential("of the bot"), as(token))
	equal(t, "owner of what it creates", credential.text("owner_id"), bot)
	want(t, s, 403, "POST", "/api_keys", `{"owner_id":"`+s.AdminOwner+`"}`, as(token))
	for _, body := range []string{`{}`, `{"owner_id":"` + s.AdminOwner + `"}`} {
		admin := want(t, s, 201, "POST", "/api_keys", body)
		equal(t, "owner", admin.text("owner_id"), s.AdminOwner)
		want(t, s, 201, "POST", "/api_keys", `{"owner_id":"`+bot+`"}`, as(admin.text("token")))
	}
	want(t, s, 201, "POST", "/api_keys", `{}`, as(token))

	want(t, s, 200, "PATCH", "/bot_users/"+bot, `{"active":false}`)
	want(t, s, 401, "GET", path, "", as(token))
	want(t, s, 200, "PATCH", "/bot_users/"+bot, `{"active":true}`)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	s = Start(t, WithStore(openStore(t, dir)))
	want(t, s, 200, "GET", path, "", as(token))
	want(t, s, 409, "DELETE", "/bot_users/"+bot, "")
	want(t, s, 401, "GET", path, "", as(token+"x"))
	want(t, s, 204, "DELETE", path, "", as(token))
	want(t, s, 401, "GET", path, "", as(token))
}

func TestAPIKey_showsTheTokenOnce(t *testing.T) {
	t.Parallel()
	var output strings.Builder
	s := Start(t, WithLogger(slogTo(&output)))
	made := want(t, s, 201, "POST", "/api_keys", `{"description":"CI"}`)
	token, path := made.text("token"), "/api_keys/"+made.text("id")
	want(t, s, 200, "PATCH", path, `{"description":"new"}`, as(token))
	want(t, s, 400, "POST", "/backends/tunnel_group", `{"metadata":1,"description":"`+token+`"}`)
	want(t, s, 404, "GET", "/ssh_credentials/"+token, "")
	for name, text := range map[string]string{
		"GET": asJSON(want(t, s, 200, "GET", path, "").body), "list": asJSON(s.List("/api_keys")),
		"PATCH": asJSON(want(t, s, 200, "PATCH", path, `{"description":"newer"}`).body),
		"log":   asJSON(s.Requests()), "bodies": bodies(s), "log endpoint": asJSON(logged(t, s, "")), "output": output.String(),
		"export": string(s.Export()), "changes": want(t, s, 200, "GET", "/_testserver/objects", "").raw,
	} {
		if strings.Contains(text, token) || text == "" {
			t.Errorf("%s: the token is in %q", name, text)
		}
	}
	copied := New()
	if err := copied.Seed(s.Export()); err != nil {
		t.Fatal(err)
	}
	equal(t, "a copy", copied.Get(path)["description"], "newer")
}
