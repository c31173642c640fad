package testserver

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
)

func TestSSHPublicKey_forms(t *testing.T) {
	t.Parallel()
	s := Start(t)
	good := sshLine(t, newKey(t, "ed25519"))
	fields := strings.Fields(good)
	blob, _ := base64.StdEncoding.DecodeString(fields[1])
	signer, err := ssh.NewSignerFromKey(newKey(t, "ed25519"))
	if err != nil {
		t.Fatal(err)
	}
	certificate := &ssh.Certificate{Key: signer.PublicKey(), CertType: ssh.HostCert}
	if err := certificate.SignCert(bytes.NewReader(make([]byte, 64)), signer); err != nil {
		t.Fatal(err)
	}
	secretKey := pkcs8(t, newKey(t, "ed25519"))

	for name, test := range map[string]struct {
		key  string
		good bool
	}{
		"ed25519":            {sshLine(t, newKey(t, "ed25519")), true},
		"with comment":       {sshLine(t, newKey(t, "ed25519")) + " me@home, my key", true},
		"rsa":                {sshLine(t, newKey(t, "rsa")), true},
		"final newline":      {sshLine(t, newKey(t, "ed25519")) + "\n", true},
		"short rsa":          {sshLine(t, newKey(t, "rsa1024")), false},
		"wrong type name":    {"ssh-rsa " + fields[1], false},
		"two lines":          {good + "\n" + sshLine(t, newKey(t, "ed25519")), false},
		"options":            {`no-pty ` + good, false},
		"cut off":            {"ssh-ed25519 " + base64.StdEncoding.EncodeToString(blob[:len(blob)-1]), false},
		"certificate":        {strings.TrimSpace(string(ssh.MarshalAuthorizedKey(certificate))), false},
		"security key":       {"sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABHNzaDo=", true},
		"ECDSA security key": {"sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBIF3YebK6Ih5adqlHkTDfDQDokg3Eqtwg6w5vAaolE6OAZxdNV+GlwlRwn/O5ggK2m8mVEu4FceOfTtP4kEei3kAAAAEc3NoOg== me", true},
		"private key":        {secretKey, false},
		"one line of a PEM":  {"-----BEGIN PUBLIC KEY-----", false},
	} {
		t.Run(name, func(t *testing.T) {
			got := send(t, s, "POST", "/ssh_credentials", asJSON(map[string]string{"public_key": test.key}))
			switch {
			case test.good && got.status != 201:
				t.Errorf("refused: %s", got.raw)
			case test.good:
				equal(t, "public_key", got.text("public_key"), strings.TrimSpace(test.key))
			case got.status != 400 || got.field() != "public_key":
				t.Errorf("not refused: %d %s", got.status, got.raw)
			case strings.Contains(got.raw, strings.Split(secretKey, "\n")[1]):
				t.Errorf("the private key is in the error: %s", got.raw)
			}
		})
	}
}

func TestSSHCredential_owner(t *testing.T) {
	t.Parallel()
	s := Start(t, withKey("second", "usr_second"), withKey("third", "bot_other"))
	create := func(status int, key, owner string) result {
		body := map[string]any{"public_key": sshLine(t, newKey(t, "ed25519")), "owner_id": nil}
		if owner != "" {
			body["owner_id"] = owner
		}
		return want(t, s, status, "POST", "/ssh_credentials", asJSON(body), as(key))
	}
	equal(t, "owner", create(201, s.OrdinaryKey, "").text("owner_id"), s.OrdinaryOwner)
	equal(t, "owner", create(201, s.OrdinaryKey, s.OrdinaryOwner).text("owner_id"), s.OrdinaryOwner)
	equal(t, "owner", create(201, "second", "").text("owner_id"), "usr_second")
	equal(t, "owner", create(201, s.AdminKey, "bot_other").text("owner_id"), "bot_other")
	create(403, "second", s.OrdinaryOwner)
	equal(t, "blamed field", create(400, s.AdminKey, "not an id").field(), "owner_id")
	equal(t, "blamed field", create(400, s.AdminKey, "usr_unknown").field(), "owner_id")
	equal(t, "blamed field", create(400, s.AdminKey, s.Parents.TLSEdge).field(), "owner_id")
}
