package testserver

import (
	"maps"
	"os"
	"os/exec"
	"strings"
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
	want(t, s, 400, "POST", "/ssh_host_certificates", body(map[string]any{
		"valid_after": "2030-01-01T00:00:00Z", "valid_until": "2029-01-01T00:00:00Z"}))
	empty := want(t, s, 201, "POST", "/ssh_host_certificates", body(map[string]any{"valid_after": "", "valid_until": "", "principals": []string{}}))
	equal(t, "valid_after after an empty one", empty.text("valid_after"), empty.text("created_at"))
}

// TestSSHHostCertificate_isReadBySSHKeygen lets OpenSSH read certificates of each kind of
// authority. It verifies their signatures, and accepts no SHA-1.
func TestSSHHostCertificate_isReadBySSHKeygen(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	s := Start(t)
	for authority, signature := range map[string]string{
		`{"private_key_type":"ed25519"}`:                       "ssh-ed25519",
		`{"private_key_type":"rsa"}`:                           "rsa-sha2-256",
		`{"private_key_type":"ecdsa"}`:                         "ecdsa-sha2-nistp256",
		`{"private_key_type":"ecdsa","elliptic_curve":"p384"}`: "ecdsa-sha2-nistp384",
		`{"private_key_type":"ecdsa","elliptic_curve":"p521"}`: "ecdsa-sha2-nistp521",
	} {
		object := want(t, s, 201, "POST", "/ssh_host_certificates", asJSON(map[string]any{
			"ssh_certificate_authority_id": s.Create("/ssh_certificate_authorities", authority), "public_key": sshLine(t, newKey(t, "ed25519")),
			"principals": []string{"a.example", "10.0.0.1"}, "valid_after": "2030-01-01T00:00:00Z", "valid_until": "2031-01-01T00:00:00Z",
		}))
		output := shownBySSHKeygen(t, object.text("certificate"))
		equal(t, "key_type", object.text("key_type"), "ed25519")
		if !strings.HasSuffix(object.text("certificate"), " "+object.text("id")) {
			t.Errorf("the comment of the certificate is not the id: %s", object.text("certificate"))
		}
		for _, line := range []string{
			"Type: ssh-ed25519-cert-v01@openssh.com host certificate", `Key ID: "` + object.text("id") + `"`, "Serial: 0",
			"Valid: from 2030-01-01T00:00:00 to 2031-01-01T00:00:00", "a.example", "10.0.0.1", "(using " + signature + ")",
		} {
			if !strings.Contains(output, line) {
				t.Errorf("%s: ssh-keygen does not say %q:\n%s", authority, line, output)
			}
		}
	}
}

func shownBySSHKeygen(t *testing.T, certificate string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "ssh-keygen", "-L", "-f", "-")
	command.Stdin, command.Env = strings.NewReader(certificate+"\n"), append(os.Environ(), "TZ=UTC")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return string(output)
}
