package pki_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/attribute/pki"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// hostCertificate returns an SSH certificate from ssh-keygen.
func hostCertificate(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"ca", "host"} {
		keygen(t, "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, name))
	}
	keygen(t, "-q", "-s", filepath.Join(dir, "ca"), "-I", "id", "-h", filepath.Join(dir, "host.pub"))
	certificate, err := os.ReadFile(filepath.Join(dir, "host-cert.pub"))
	if err != nil {
		t.Fatal(err)
	}
	return string(certificate)
}

func TestSSHCertificate_sameByTypeAndData(t *testing.T) {
	t.Parallel()
	text, other := hostCertificate(t), hostCertificate(t)
	fields := strings.Fields(text)
	for spelled, same := range map[string]bool{
		text: true, strings.TrimSpace(text): true, fields[0] + " " + fields[1]: true, fields[0] + " " + fields[1] + " comment\r\n": true,
		other: false, fields[0]: false, "": false, "ssh-ed25519 " + fields[1]: false,
	} {
		for _, pair := range [][2]string{{text, spelled}, {spelled, text}} {
			if got := (pki.SSHCertificateType{}).Of(pair[0]).Same(pki.SSHCertificateType{}.Of(pair[1])); got != same {
				t.Errorf("%q and %q: same is %t", pair[0], pair[1], got)
			}
		}
	}
}

func TestSSHCertificate_refused(t *testing.T) {
	t.Parallel()
	certificate, err := pki.ParseSSHCertificate("\n" + hostCertificate(t))
	if err != nil || certificate.KeyId != "id" {
		t.Errorf("%v, %v", certificate, err)
	}
	for name, test := range map[string]struct{ text, want string }{
		"a public key": {testcert.PublicKey(t, ""), "found an SSH public key (ssh-ed25519). Use the file that ends in -cert.pub"},
		"nothing":      {" \n", "found an empty string"},
		"X.509":        {testcert.ChainOf{}.New(t).PEM(), "found an X.509 certificate (PEM)"},
		"a path":       {"~/.ssh/id-cert.pub", "found a file path. Read the file with file()"},
		"two":          {hostCertificate(t) + hostCertificate(t), "found more than one line"},
		"options":      {"cert-authority " + hostCertificate(t), "found authorized_keys options before the certificate"},
		"damaged":      {hostCertificate(t)[:60], "is not a valid SSH certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := pki.ParseSSHCertificate(test.text)
			expectError(t, err, test.want)
		})
	}
}
