package testserver

import (
	"maps"
	"testing"
)

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
		"security key":        {map[string]any{"public_key": "sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBIF3YebK6Ih5adqlHkTDfDQDokg3Eqtwg6w5vAaolE6OAZxdNV+GlwlRwn/O5ggK2m8mVEu4FceOfTtP4kEei3kAAAAEc3NoOg=="}, 400, "public_key"},
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
