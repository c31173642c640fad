package api

import (
	"fmt"
	"strings"
	"testing"
)

func BenchmarkDecodePage(b *testing.B) {
	objects := make([]string, 100)
	for i := range objects {
		objects[i] = fmt.Sprintf(`{"id":"sshcr_%027d","uri":"https://api.example.com/ssh_credentials/sshcr_%027d","created_at":"2026-11-21T08:15:30Z",`+
			`"description":"number %d","metadata":"","public_key":"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA me","acl":["bind:*.example.com"],"owner_id":"usr_1"}`, i, i, i)
	}
	answer := []byte(`{"ssh_credentials":[` + strings.Join(objects, ",") + `],"uri":"https://api.example.com/ssh_credentials","next_page_uri":null}`)
	b.SetBytes(int64(len(answer)))
	b.ReportAllocs()
	for b.Loop() {
		items, _, err := decodePage(answer, "ssh_credentials")
		for _, item := range items {
			if _, err := decode[SSHCredential](item); err != nil {
				b.Fatal(err)
			}
		}
		if err != nil || len(items) != len(objects) {
			b.Fatal(len(items), err)
		}
	}
}

func BenchmarkDecodeObject(b *testing.B) {
	answer := []byte(`{"id":"sshcr_1","uri":"https://api.example.com/ssh_credentials/sshcr_1","created_at":"2026-11-21T08:15:30Z","description":"d","metadata":"","public_key":"ssh-ed25519 AAAA me","acl":[],"owner_id":"usr_1"}`)
	b.ReportAllocs()
	for b.Loop() {
		if object, err := decode[SSHCredential](answer); err != nil || object.ID == "" {
			b.Fatal(err)
		}
	}
}
