package testserver

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tool returns the path of an OpenSSH program, or skips the test if it is not
// installed.
func tool(t *testing.T, name string) string {
	t.Helper()
	for _, candidate := range []string{name, "/usr/sbin/" + name, "/usr/local/sbin/" + name} {
		if path, err := exec.LookPath(candidate); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed", name)
	return ""
}

func writeFile(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSSHHostCertificate_isReadBySSHKeygen lets OpenSSH read certificates of each kind of
// authority. It verifies their signatures, and accepts no SHA-1.
func TestSSHHostCertificate_isReadBySSHKeygen(t *testing.T) {
	t.Parallel()
	keygen := tool(t, "ssh-keygen")
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
		output := shownBySSHKeygen(t, keygen, object.text("certificate"))
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

func shownBySSHKeygen(t *testing.T, keygen, certificate string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), keygen, "-L", "-f", writeFile(t, t.TempDir(), "host-cert.pub", certificate))
	command.Env = append(os.Environ(), "TZ=UTC")
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return string(output)
}

// TestSSHHostCertificate_mostPrincipals issues certificates with more and more
// principals until the server refuses. OpenSSH must read all of them.
func TestSSHHostCertificate_mostPrincipals(t *testing.T) {
	t.Parallel()
	keygen := tool(t, "ssh-keygen")
	s := Start(t)
	for n := 255; ; n++ {
		got := send(t, s, "POST", "/ssh_host_certificates", asJSON(map[string]any{
			"ssh_certificate_authority_id": s.Parents.SSHCertificateAuthority, "public_key": sshLine(t, newKey(t, "ed25519")),
			"principals": hosts(n),
		}))
		if got.status != 201 {
			equal(t, "refused number of principals", n, 257)
			break
		}
		shownBySSHKeygen(t, keygen, got.text("certificate"))
	}
}
