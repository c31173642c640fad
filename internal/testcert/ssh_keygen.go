package testcert

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// SSHKeygen returns a new SSH key pair from ssh-keygen, of type rsa, ecdsa or
// ed25519. It skips the test if ssh-keygen is not installed.
func SSHKeygen(t *testing.T, kind, bits string) (public, private string) {
	t.Helper()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	file := filepath.Join(t.TempDir(), "key")
	out, err := exec.CommandContext(t.Context(), "ssh-keygen", "-q", "-t", kind, "-b", bits, "-N", "", "-C", "me@here", "-f", file).
		CombinedOutput()
	if err != nil {
		t.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	read := func(name string) string {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	return read(file + ".pub"), read(file)
}
