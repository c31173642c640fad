package testserver

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"crypto"
	"encoding/pem"

	"golang.org/x/crypto/ssh"
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

// openSSHKey returns a private key in OpenSSH format.
func openSSHKey(t *testing.T, key crypto.Signer) string {
	t.Helper()
	block, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(block))
}

func TestSSHHostCertificate_isReadBySSHKeygen(t *testing.T) {
	t.Parallel()
	keygen := tool(t, "ssh-keygen")
	s := Start(t)
	object := want(t, s, 201, "POST", "/ssh_host_certificates", asJSON(map[string]any{
		"ssh_certificate_authority_id": s.Parents.SSHCertificateAuthority, "public_key": sshLine(t, newKey(t, "ed25519")),
		"principals": []string{"a.example", "10.0.0.1"}, "valid_after": "2030-01-01T00:00:00Z", "valid_until": "2031-01-01T00:00:00Z",
	}))
	output := shownBySSHKeygen(t, keygen, object.text("certificate"))
	equal(t, "key_type", object.text("key_type"), "ed25519")
	if !strings.HasSuffix(object.text("certificate"), " "+object.text("id")) {
		t.Errorf("the comment of the certificate is not the id: %s", object.text("certificate"))
	}
	for _, line := range []string{
		"Type: ssh-ed25519-cert-v01@openssh.com host certificate",
		`Key ID: "` + object.text("id") + `"`,
		"Serial: 0",
		"Valid: from 2030-01-01T00:00:00 to 2031-01-01T00:00:00",
		"a.example",
		"10.0.0.1",
	} {
		if !strings.Contains(output, line) {
			t.Errorf("ssh-keygen does not say %q:\n%s", line, output)
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

// TestSSHHostCertificate_isTrustedBySSH runs sshd with a host certificate and
// connects with an ssh client that trusts only the certificate authority.
func TestSSHHostCertificate_isTrustedBySSH(t *testing.T) {
	t.Parallel()
	daemon, client := tool(t, "sshd"), tool(t, "ssh")
	if os.Geteuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := Start(t)
	for _, authority := range []string{
		`{"private_key_type":"ed25519"}`,
		`{"private_key_type":"rsa"}`,
		`{"private_key_type":"ecdsa"}`,
		`{"private_key_type":"ecdsa","elliptic_curve":"p384"}`,
		`{"private_key_type":"ecdsa","elliptic_curve":"p521"}`,
	} {
		t.Run(authority, func(t *testing.T) {
			dir := t.TempDir()
			hostKey, userKey := newKey(t, "ed25519"), newKey(t, "ed25519")
			object := want(t, s, 201, "POST", "/ssh_certificate_authorities", authority)
			cert := want(t, s, 201, "POST", "/ssh_host_certificates", asJSON(map[string]any{
				"ssh_certificate_authority_id": object.text("id"), "public_key": sshLine(t, hostKey), "principals": []string{"host.example"},
			}))
			port := startSSHD(t, daemon, dir, map[string]string{
				"HostKey":            writeFile(t, dir, "host", openSSHKey(t, hostKey)),
				"HostCertificate":    writeFile(t, dir, "host-cert.pub", cert.text("certificate")),
				"AuthorizedKeysFile": writeFile(t, dir, "authorized", sshLine(t, userKey)),
			})
			trusted := writeFile(t, dir, "known_hosts", "@cert-authority host.example "+object.text("public_key"))
			connect := func(alias string) (string, error) {
				command := exec.CommandContext(t.Context(), client, "-F", "none", "-p", port, "-i", writeFile(t, dir, "user", openSSHKey(t, userKey)),
					"-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=yes", "-o", "UserKnownHostsFile="+trusted,
					"-o", "GlobalKnownHostsFile=none", "-o", "IdentitiesOnly=yes", "-o", "HostKeyAlias="+alias, "127.0.0.1", "echo", "trusted")
				output, err := command.CombinedOutput()
				return string(output), err
			}
			if output, err := connect("host.example"); err != nil || !strings.Contains(output, "trusted") {
				t.Errorf("ssh does not trust the host: %v: %s", err, output)
			}
			if output, err := connect("other.example"); err == nil {
				t.Errorf("ssh trusts a host that the certificate is not for: %s", output)
			}
		})
	}
}

// startSSHD runs sshd on a loopback port for the duration of a test and returns
// the port.
func startSSHD(t *testing.T, daemon, dir string, settings map[string]string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String())
	_ = free.Close()
	config := "ListenAddress 127.0.0.1\nPort " + port + "\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPidFile none\nPermitRootLogin yes\n"
	for name, value := range settings {
		config += fmt.Sprintf("%s %s\n", name, value)
	}
	var log bytes.Buffer
	command := exec.Command(daemon, "-D", "-e", "-f", writeFile(t, dir, "sshd_config", config))
	command.Stderr = &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("sshd: %s", log.String())
		}
	})
	eventually(t, func() bool {
		connection, err := net.DialTimeout("tcp", "127.0.0.1:"+port, time.Second)
		if err == nil {
			_ = connection.Close()
		}
		return err == nil
	})
	return port
}
