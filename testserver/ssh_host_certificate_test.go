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
		"no authority":        {map[string]any{"ssh_certificate_authority_id": nil}, 400, "ssh_certificate_authority_id"},
		"unknown authority":   {map[string]any{"ssh_certificate_authority_id": "sshca_none"}, 400, "ssh_certificate_authority_id"},
		"no key":              {map[string]any{"public_key": nil}, 400, "public_key"},
		"bad key":             {map[string]any{"public_key": "ssh-rsa AAAA"}, 400, "public_key"},
		"no timestamp":        {map[string]any{"valid_after": "tomorrow"}, 400, "valid_after"},
		"empty authority":     {map[string]any{"ssh_certificate_authority_id": ""}, 400, "ssh_certificate_authority_id"},
		"hour of one digit":   {map[string]any{"valid_until": "2030-01-01T8:15:30Z"}, 400, "valid_until"},
		"decimal comma":       {map[string]any{"valid_until": "2030-01-01T08:15:30,5Z"}, 400, "valid_until"},
		"offset of a day":     {map[string]any{"valid_until": "2030-01-01T08:15:30+24:00"}, 400, "valid_until"},
		"no offset":           {map[string]any{"valid_until": "2030-01-01T08:15:30"}, 400, "valid_until"},
		"year 10000 in UTC":   {map[string]any{"valid_until": "9999-12-31T23:59:59-10:00"}, 400, "valid_until"},
		"1969 by its offset":  {map[string]any{"valid_after": "1970-01-01T00:00:00+00:01"}, 400, "valid_after"},
		"date only":           {map[string]any{"valid_until": "2030-01-01"}, 400, "valid_until"},
		"ends at its start":   {map[string]any{"valid_after": "2030-01-01T00:00:00Z", "valid_until": "2030-01-01T01:00:00+01:00"}, 400, "valid_until"},
		"starts after a year": {map[string]any{"valid_after": "2099-01-01T00:00:00Z"}, 400, "valid_until"},
		"before 1970":         {map[string]any{"valid_after": "1969-12-31T23:59:59Z"}, 400, "valid_after"},
		"empty principal":     {map[string]any{"principals": []string{"a", ""}}, 400, "principals[1]"},
		"257 principals":      {map[string]any{"principals": hosts(257)}, 400, "principals"},
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
	for text, instant := range map[string]string{
		"2031-01-01t00:00:00z":      "2031-01-01T00:00:00Z",
		"9999-12-31T23:59:59Z":      "9999-12-31T23:59:59Z",
		"9999-12-31T23:59:59+10:00": "9999-12-31T13:59:59Z",
	} {
		object := want(t, s, 201, "POST", "/ssh_host_certificates", body(map[string]any{"valid_until": text}))
		equal(t, "valid_until for "+text, object.text("valid_until"), instant)
	}
	empty := want(t, s, 201, "POST", "/ssh_host_certificates", body(map[string]any{"valid_after": "", "valid_until": "", "principals": []string{}}))
	equal(t, "valid_after after an empty one", empty.text("valid_after"), empty.text("created_at"))

	path := "/ssh_host_certificates/" + object.text("id")
	changed := want(t, s, 200, "PATCH", path, `{"description":"web"}`)
	equal(t, "certificate after a change", changed.text("certificate"), object.text("certificate"))
	want(t, s, 400, "PATCH", path, `{"principals":["a"]}`)
	want(t, s, 409, "DELETE", "/ssh_certificate_authorities/"+s.Parents.SSHCertificateAuthority, "")
	for _, cert := range s.List("/ssh_host_certificates") {
		want(t, s, 204, "DELETE", "/ssh_host_certificates/"+member(cert, "id"), "")
	}
	want(t, s, 204, "DELETE", "/ssh_certificate_authorities/"+s.Parents.SSHCertificateAuthority, "")
}

func TestSSHCertificateAuthority_rules(t *testing.T) {
	t.Parallel()
	s := Start(t)
	for body, field := range map[string]string{
		`{"private_key_type":"dsa"}`:                           "private_key_type",
		`{"private_key_type":"ecdsa","elliptic_curve":"p224"}`: "elliptic_curve",
		`{"elliptic_curve":"p256"}`:                            "elliptic_curve",
		`{"private_key_type":"rsa","key_size":1024}`:           "key_size",
		`{"private_key_type":"rsa","key_size":2048.5}`:         "key_size",
		`{"private_key_type":"ecdsa","key_size":2048}`:         "key_size",
		`{"private_key":"x"}`:                                  "private_key",
	} {
		equal(t, "blamed field of "+body, want(t, s, 400, "POST", "/ssh_certificate_authorities", body).field(), field)
	}
	want(t, s, 201, "POST", "/ssh_certificate_authorities", `{"private_key_type":"rsa","key_size":2048.0}`)
	object := want(t, s, 201, "POST", "/ssh_certificate_authorities", `{"description":"d"}`)
	equal(t, "key_type", object.text("key_type"), "ed25519")
	var fields []string
	for name := range want(t, s, 200, "GET", "/ssh_certificate_authorities/"+object.text("id"), "").body {
		fields = append(fields, name)
	}
	slices.Sort(fields)
	equal(t, "fields", fields, []string{"created_at", "description", "id", "key_type", "public_key", "uri"})
	changed := want(t, s, 200, "PATCH", "/ssh_certificate_authorities/"+object.text("id"), `{"metadata":"m"}`)
	equal(t, "public_key after a change", changed.text("public_key"), object.text("public_key"))
}
