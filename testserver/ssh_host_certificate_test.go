package testserver

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

func TestSSHHostCertificate_isSigned(t *testing.T) {
	t.Parallel()
	now := newClock()
	s := Start(t, WithClock(now.now))
	for kind, body := range map[string]string{
		"ssh-ed25519":         `{}`,
		"ssh-rsa":             `{"private_key_type":"rsa"}`,
		"ecdsa-sha2-nistp256": `{"private_key_type":"ecdsa"}`,
		"ecdsa-sha2-nistp384": `{"private_key_type":"ecdsa","elliptic_curve":"p384"}`,
		"ecdsa-sha2-nistp521": `{"private_key_type":"ecdsa","elliptic_curve":"p521"}`,
	} {
		t.Run(kind, func(t *testing.T) {
			authority := want(t, s, 201, "POST", "/ssh_certificate_authorities", body)
			host := sshLine(t, newKey(t, "p256"))
			object := want(t, s, 201, "POST", "/ssh_host_certificates", asJSON(map[string]any{
				"ssh_certificate_authority_id": authority.text("id"), "public_key": host + " host key",
				"principals": []string{"a.example", "10.0.0.1"},
			}))
			equal(t, "key_type", object.text("key_type"), "ecdsa")
			equal(t, "valid_after", object.text("valid_after"), "2026-11-21T08:15:30Z")
			equal(t, "valid_until", object.text("valid_until"), "2027-11-21T08:15:30Z")
			key, comment, _, _, err := ssh.ParseAuthorizedKey([]byte(object.text("certificate")))
			if err != nil {
				t.Fatal(err)
			}
			cert, ok := key.(*ssh.Certificate)
			if !ok {
				t.Fatalf("the certificate is a %s", key.Type())
			}
			trusted, _, _, _, err := ssh.ParseAuthorizedKey([]byte(authority.text("public_key")))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "type of the authority's key", trusted.Type(), kind)
			equal(t, "comment", comment, object.text("id"))
			equal(t, "key id", cert.KeyId, object.text("id"))
			equal(t, "serial", cert.Serial, 0)
			if cert.Signature.Format == ssh.KeyAlgoRSA {
				t.Error("it is signed with SHA-1")
			}
			checker := ssh.CertChecker{
				Clock:           func() time.Time { return now.now().Add(time.Hour) },
				IsHostAuthority: func(key ssh.PublicKey, _ string) bool { return bytes.Equal(key.Marshal(), trusted.Marshal()) },
			}
			for _, principal := range []string{"a.example", "10.0.0.1"} {
				if err := checker.CheckHostKey(principal+":22", nil, cert); err != nil {
					t.Errorf("%s: %v", principal, err)
				}
			}
			if checker.CheckHostKey("b.example:22", nil, cert) == nil {
				t.Error("it is valid for a host that is not named")
			}
		})
	}
}

// hosts returns n different host names.
func hosts(n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("h%d.example", i))
	}
	return names
}

func TestSSHHostCertificate_rules(t *testing.T) {
	t.Parallel()
	s := Start(t)
	key := sshLine(t, newKey(t, "ed25519"))
	body := func(more map[string]any) string {
		all := map[string]any{"ssh_certificate_authority_id": s.Parents.SSHCertificateAuthority, "public_key": key}
		maps.Copy(all, more)
		return asJSON(all)
	}
	for name, test := range map[string]struct {
		more   map[string]any
		status int
		field  string
	}{
		"unknown authority":   {map[string]any{"ssh_certificate_authority_id": "sshca_none"}, 400, "ssh_certificate_authority_id"},
		"ends at its start":   {map[string]any{"valid_after": "2030-01-01T00:00:00Z", "valid_until": "2030-01-01T01:00:00+01:00"}, 400, "valid_until"},
		"starts after a year": {map[string]any{"valid_after": "2099-01-01T00:00:00Z"}, 400, "valid_until"},
		"before 1970":         {map[string]any{"valid_after": "1969-12-31T23:59:59Z"}, 400, "valid_after"},
		"principal with NUL":  {map[string]any{"principals": []string{"a", "b\x00"}}, 400, "principals[1]"},
		"two lines":           {map[string]any{"principals": []string{"a\nb"}}, 400, "principals[0]"},
		"C1 control":          {map[string]any{"principals": []string{"a\u0085b"}}, 400, "principals[0]"},
	} {
		t.Run(name, func(t *testing.T) {
			equal(t, "blamed field", want(t, s, test.status, "POST", "/ssh_host_certificates", body(test.more)).field(), test.field)
		})
	}
	equal(t, "number of certificates", len(s.List("/ssh_host_certificates")), 0)

	object := want(t, s, 201, "POST", "/ssh_host_certificates", body(map[string]any{
		"valid_after": "2030-01-01T00:00:00.75-05:00", "valid_until": "2031-01-01T00:00:00Z"}))
	equal(t, "valid_after in UTC and whole seconds", object.text("valid_after"), "2030-01-01T05:00:00Z")
	equal(t, "principals never set", object.body["principals"], []string{})
	want(t, s, 201, "POST", "/ssh_host_certificates", body(nil))
	empty := want(t, s, 201, "POST", "/ssh_host_certificates", body(map[string]any{"valid_after": "", "valid_until": "", "principals": []string{}}))
	equal(t, "valid_after after an empty one", empty.text("valid_after"), empty.text("created_at"))
}

func TestSSHCertificateAuthority_fields(t *testing.T) {
	t.Parallel()
	s := Start(t)
	want(t, s, 201, "POST", "/ssh_certificate_authorities", `{"private_key_type":"rsa","key_size":2048.0}`)
	object := want(t, s, 201, "POST", "/ssh_certificate_authorities", `{"description":"d"}`)
	equal(t, "key_type", object.text("key_type"), "ed25519")
	var fields []string
	for name := range want(t, s, 200, "GET", "/ssh_certificate_authorities/"+object.text("id"), "").body {
		fields = append(fields, name)
	}
	slices.Sort(fields)
	equal(t, "fields", fields, []string{"created_at", "description", "id", "key_type", "public_key", "uri"})
}
