package testserver

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

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
