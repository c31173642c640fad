package testserver

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/testserver/internal/keys"
)

func openStore(t *testing.T, dir string) *Store {
	t.Helper()
	store, err := OpenStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() }) // a second Close is harmless
	return store
}

// everything returns all objects that a client can list, without the base URL.
func everything(s *Server) string {
	all := map[string]any{}
	for _, k := range documentedCollections() {
		all[k.Path] = s.List(k.Path)
	}
	return strings.ReplaceAll(asJSON(all), s.URL, "")
}

func TestStore_keepsEverything(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "data")
	store := openStore(t, dir)
	s := Start(t, WithStore(store))
	fullAccount(t, s)
	ids := s.SeedSSHCredentials(20)
	s.Edit("/ssh_credentials/"+ids[3], `{"description":"changed","acl":["bind:a"]}`)
	s.Delete("/ssh_credentials/" + ids[4])
	before := everything(s)
	for _, name := range []string{"gone", "kept", "replaced"} {
		want(t, s, 201, "POST", "/_testserver/snapshots/"+name, "")
	}
	want(t, s, 204, "DELETE", "/_testserver/snapshots/gone", "")
	s.Delete("/ssh_credentials/" + ids[5])
	want(t, s, 201, "POST", "/_testserver/snapshots/replaced", "")
	later := everything(s)
	s.SeedSSHCredentials(1)
	last := everything(s)
	list := want(t, s, 200, "GET", "/_testserver/snapshots", "").raw
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}

	again := Start(t, WithStore(openStore(t, dir)))
	equal(t, "snapshots", want(t, again, 200, "GET", "/_testserver/snapshots", "").raw, list)
	for _, snapshot := range []struct{ name, want string }{{"", last}, {"replaced", later}, {"kept", before}} {
		if snapshot.name != "" {
			want(t, again, 204, "POST", "/_testserver/snapshots/"+snapshot.name+"/restore", "")
		}
		if after := everything(again); after != snapshot.want {
			t.Errorf("%s: before:\n%s\nafter:\n%s", snapshot.name, snapshot.want, after)
		}
	}
	equal(t, "parents", again.Parents, s.Parents)
	equal(t, "owners", []string{again.AdminOwner, again.OrdinaryOwner}, []string{s.AdminOwner, s.OrdinaryOwner})
	if again.AdminKey == s.AdminKey {
		t.Error("the keys were kept")
	}
	want(t, again, 400, "POST", "/ssh_credentials", asJSON(map[string]any{"public_key": again.Get("/ssh_credentials/" + ids[0])["public_key"]}))
	want(t, again, 409, "DELETE", groups+"/"+member(again.List(groups)[0], "id"), "")
	want(t, again, 201, "POST", "/ssh_host_certificates", asJSON(map[string]string{
		"ssh_certificate_authority_id": again.Parents.SSHCertificateAuthority, "public_key": keys.PublicKeyFor("second")}))
	newest := want(t, again, 201, "POST", "/ssh_credentials", newCredential("new")).text("id")
	equal(t, "newest", again.List("/ssh_credentials")[0]["id"], newest)
}

func TestStore_resetGoesBackToItsStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	first := Start(t, WithStore(store))
	kept := first.SeedSSHCredentials(2)
	_ = store.Close()

	store = openStore(t, dir)
	second := Start(t, WithStore(store))
	second.Delete("/ssh_credentials/" + kept[0])
	second.SeedSSHCredentials(5)
	second.Reset()
	before := everything(second)
	_ = store.Close()

	third := Start(t, WithStore(openStore(t, dir)))
	equal(t, "number of objects", len(third.List("/ssh_credentials")), 2)
	if everything(third) != before {
		t.Error("the file does not hold what the server showed after the reset")
	}
}

func TestStore_damaged(t *testing.T) {
	t.Parallel()
	origin := t.TempDir()
	store := openStore(t, origin)
	Start(t, WithStore(store)).SeedSSHCredentials(300)
	_ = store.Close()
	good, err := os.ReadFile(filepath.Join(origin, "tunnel.db"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := map[string][]byte{"empty": {}, "text": []byte(strings.Repeat("no database ", 1000)), "half": good[:len(good)/2], "a page": good[:os.Getpagesize()]}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 100 {
		content := slices.Clone(good)
		begin := random.IntN(len(content) - 512)
		for j := range 512 {
			content[begin+j] = byte(random.Uint32())
		}
		damaged[fmt.Sprint("random ", i)] = content
	}
	refused := 0
	for name, content := range damaged {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "tunnel.db"), content, 0o600); err != nil {
			t.Fatal(err)
		}
		broken, err := OpenStore(dir)
		switch {
		case err == nil && !strings.HasPrefix(name, "random"):
			t.Errorf("%s: the file is accepted", name)
		case err == nil: // the damage is in unused bytes
			New(WithStore(broken)).SeedSSHCredentials(10)
			_ = broken.Close()
		default:
			refused++
			if !strings.Contains(err.Error(), "tunnel.db") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: the error is %v", name, err)
			}
		}
	}
	if refused < 50 {
		t.Errorf("only %d of %d files are refused", refused, len(damaged))
	}
}

func TestStore_failureIs500(t *testing.T) {
	t.Parallel()
	store := openStore(t, t.TempDir())
	s := Start(t, WithStore(store), WithContractCheck(func(error) {})) // the contract does not include a 500
	_ = store.Close()
	want(t, s, 500, "POST", "/ssh_credentials", newCredential("a"))
	want(t, s, 500, "DELETE", "/edges/tls/"+s.Parents.TLSEdge, "")
	equal(t, "objects", len(s.List("/ssh_credentials")), 0)
	want(t, s, 200, "GET", "/edges/tls/"+s.Parents.TLSEdge, "")
}

func TestStore_holdsNoPrivateKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store := openStore(t, dir)
	s := Start(t, WithStore(store))
	leaf := issue(t, nil, newKey(t, "p256"), nil)
	key := pkcs8(t, leaf.key)
	s.Create("/tls_certificates", upload(leaf.pem, key))
	_ = store.Close()
	content, err := os.ReadFile(filepath.Join(dir, "tunnel.db"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(key), "\n") {
		if !strings.HasPrefix(line, "--") && strings.Contains(string(content), line) {
			t.Error("the private key is in the file")
		}
	}
	if !strings.Contains(string(content), strings.Split(leaf.pem, "\n")[1]) {
		t.Error("the certificate is not in the file: the test looks in the wrong place")
	}
}
