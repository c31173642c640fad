package function_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/crypto/ssh"

	"github.com/tunnel-service/terraform-provider-tunnel/internal/acctest"
	"github.com/tunnel-service/terraform-provider-tunnel/internal/testcert"
)

// keygen runs ssh-keygen, or skips the test if it is not installed.
func keygen(t *testing.T, arguments ...string) string {
	t.Helper()
	program, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	cmd := exec.CommandContext(t.Context(), program, arguments...)
	cmd.Env = append(os.Environ(), "TZ=UTC")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("ssh-keygen %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return string(out)
}

func write(t *testing.T, dir, name, content string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func fingerprint(t *testing.T, key string) string {
	t.Helper()
	return strings.Fields(keygen(t, "-l", "-f", write(t, t.TempDir(), "key.pub", key)))[1]
}

func TestSSHFingerprint_equalsSSHKeygen(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	for kind, bits := range map[string]string{"rsa": "2048", "ecdsa": "384", "ed25519": "256"} {
		dir := t.TempDir()
		keygen(t, "-q", "-t", kind, "-b", bits, "-N", "", "-C", "me@here", "-f", filepath.Join(dir, "key"))
		public, err := os.ReadFile(filepath.Join(dir, "key.pub"))
		if err != nil {
			t.Fatal(err)
		}
		got, wrong := p.Call("ssh_fingerprint", acctest.Text(string(public)))
		if want := acctest.Text(fingerprint(t, string(public))); wrong != nil || !got.Equal(want) {
			t.Errorf("%s: %s, want %s (%v)", kind, got, want, wrong)
		}
	}
}

func TestSSHCertificate_equalsSSHKeygen(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	p := acctest.NewProtocol(t)
	key := testcert.PublicKey(t, "root@host")
	id := w.Create("/ssh_host_certificates", `{"ssh_certificate_authority_id": "`+w.Parents.SSHCertificateAuthority+`", "public_key": "`+key+`",
		"principals": ["b.example.com", "a.example.com"], "valid_after": "2030-01-01T00:00:00Z", "valid_until": "2031-01-01T01:02:03Z"}`)
	certificate, _ := w.Get("/ssh_host_certificates/" + id)["certificate"].(string)
	authority, _ := w.Get("/ssh_certificate_authorities/" + w.Parents.SSHCertificateAuthority)["public_key"].(string)

	value, wrong := p.Call("ssh_certificate", acctest.Text(certificate))
	if wrong != nil {
		t.Fatal(wrong.Text)
	}
	said := p.Attributes(value)
	for name, want := range map[string]tftypes.Value{
		"type": acctest.Text("host"), "key_id": acctest.Text(id), "serial": tftypes.NewValue(tftypes.Number, 0),
		"principals":  acctest.Texts("b.example.com", "a.example.com"),
		"valid_after": acctest.Text("2030-01-01T00:00:00Z"), "valid_before": acctest.Text("2031-01-01T01:02:03Z"),
		"key_fingerprint": acctest.Text(fingerprint(t, key)), "ca_fingerprint": acctest.Text(fingerprint(t, authority)),
	} {
		if !said[name].Equal(want) {
			t.Errorf("%s is %s, want %s", name, said[name], want)
		}
	}
	printed := keygen(t, "-L", "-f", write(t, t.TempDir(), "host-cert.pub", certificate))
	for _, part := range []string{"host certificate", id, fingerprint(t, key), fingerprint(t, authority), "from 2030-01-01T00:00:00 to 2031-01-01T01:02:03"} {
		if !strings.Contains(printed, part) {
			t.Errorf("ssh-keygen does not print %s:\n%s", part, printed)
		}
	}
}

func TestSSHCertificate_withoutLimits(t *testing.T) {
	t.Parallel()
	expectPeriod(t, 0, ssh.CertTimeInfinity, tftypes.NewValue(tftypes.String, nil), tftypes.NewValue(tftypes.String, nil))
}

// RFC 3339 ends with the year 9999. A certificate that begins later is not valid yet.
func TestSSHCertificate_afterTheLastYear(t *testing.T) {
	t.Parallel()
	expectPeriod(t, 1<<38, 1<<39, acctest.Text("9999-12-31T23:59:59Z"), acctest.Text("9999-12-31T23:59:59Z"))
}

func expectPeriod(t *testing.T, after, before uint64, wantAfter, wantBefore tftypes.Value) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	certificate := &ssh.Certificate{Key: key, CertType: ssh.UserCert, Serial: 1<<64 - 1, ValidAfter: after, ValidBefore: before}
	if err := certificate.SignCert(rand.Reader, signer); err != nil {
		t.Fatal(err)
	}
	p := acctest.NewProtocol(t)
	value, wrong := p.Call("ssh_certificate", acctest.Text(string(ssh.MarshalAuthorizedKey(certificate))))
	if wrong != nil {
		t.Fatal(wrong.Text)
	}
	said := p.Attributes(value)
	serial, _ := new(big.Float).SetString("18446744073709551615")
	for name, want := range map[string]tftypes.Value{
		"type": acctest.Text("user"), "principals": acctest.Texts(), "serial": tftypes.NewValue(tftypes.Number, serial),
		"valid_after": wantAfter, "valid_before": wantBefore,
	} {
		if !said[name].Equal(want) {
			t.Errorf("%s is %s, want %s", name, said[name], want)
		}
	}
}

func TestFunction_invalidArguments(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t)
	key := testcert.PublicKey(t, "")
	for _, test := range []struct {
		name      string
		arguments []tftypes.Value
		argument  int64
		want      string
	}{
		{"ssh_fingerprint", []tftypes.Value{acctest.Text("")}, 0, "found an empty string"},
		{"ssh_fingerprint", []tftypes.Value{acctest.Text("-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0")}, 0, "found a private key"},
		{"ssh_certificate", []tftypes.Value{acctest.Text(key)}, 0, "certificate must be an SSH certificate, as one line in OpenSSH format, such as the content of ssh_host_ed25519_key-cert.pub (\"ssh-ed25519-cert-v01@openssh.com AAAA…\"); found an SSH public key (ssh-ed25519). Use the file that ends in -cert.pub"},
		{"ssh_certificate", []tftypes.Value{acctest.Text("c2VjcmV0")}, 0, "certificate is not a valid SSH certificate"},
		{"known_hosts_line", []tftypes.Value{acctest.Texts("a"), acctest.Text("x")}, 1, "ca_public_key is not a valid SSH public key"},
		{"known_hosts_line", []tftypes.Value{acctest.Texts(), acctest.Text(key)}, 0, "found an empty list"},
		{"known_hosts_line", []tftypes.Value{acctest.Texts("a", "b c"), acctest.Text(key)}, 0, "; patterns[1] (\"b c\") contains whitespace"},
		{"known_hosts_line", []tftypes.Value{acctest.Texts("a\n@cert-authority * key"), acctest.Text(key)}, 0, "whitespace"},
		{"known_hosts_line", []tftypes.Value{tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, []tftypes.Value{acctest.Text("a"), tftypes.NewValue(tftypes.String, nil)}), acctest.Text(key)}, 0, "patterns[1] must not be null"},
	} {
		_, wrong := p.Call(test.name, test.arguments...)
		if wrong != nil && strings.HasSuffix(wrong.Text, ".") { // Terraform adds one
			t.Errorf("%s ends with a full stop: %s", test.name, wrong.Text)
		}
		if wrong == nil || !strings.Contains(wrong.Text, test.want) || wrong.FunctionArgument == nil || *wrong.FunctionArgument != test.argument || strings.Contains(wrong.Text, "c2VjcmV0") {
			t.Errorf("%s: %+v, want %q", test.name, wrong, test.want)
		}
	}
}

// TestKnownHostsLine_trustedBySSH connects ssh to sshd through a pipe. The line
// is the only entry in the known_hosts file.
func TestKnownHostsLine_trustedBySSH(t *testing.T) {
	t.Parallel()
	daemon, err := exec.LookPath("sshd")
	if err != nil {
		if daemon, err = exec.LookPath("/usr/sbin/sshd"); err != nil {
			t.Skip("sshd is not installed")
		}
	}
	if os.Geteuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil { // sshd requires this directory
			t.Fatal(err)
		}
	}
	w := acctest.Start(t)
	p := acctest.NewProtocol(t)
	dir := t.TempDir()
	for _, name := range []string{"host", "user"} {
		keygen(t, "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, name))
	}
	public, err := os.ReadFile(filepath.Join(dir, "host.pub"))
	if err != nil {
		t.Fatal(err)
	}
	authority := w.Get("/ssh_certificate_authorities/" + w.Parents.SSHCertificateAuthority)["public_key"].(string)
	id := w.Create("/ssh_host_certificates", `{"ssh_certificate_authority_id": "`+w.Parents.SSHCertificateAuthority+`", "public_key": "`+strings.TrimSpace(string(public))+`"}`)
	certificate := w.Get("/ssh_host_certificates/" + id)["certificate"].(string)
	config := write(t, dir, "sshd_config", strings.Join([]string{
		"HostKey " + filepath.Join(dir, "host"), "HostCertificate " + write(t, dir, "host-cert.pub", certificate+"\n"),
		"AuthorizedKeysFile " + filepath.Join(dir, "user.pub"), "StrictModes no", "UsePAM no", "PidFile none", "PermitRootLogin yes", "",
	}, "\n"))

	for _, test := range []struct {
		patterns []string
		host     string
		port     string
		trusted  bool
	}{
		{[]string{"bastion.example.com"}, "bastion.example.com", "22", true},
		{[]string{"*.example.com", "192.0.2.*"}, "192.0.2.7", "22", true},
		{[]string{"*.example.com"}, "other.example.org", "22", false},
		{[]string{"*.example.com", "!bad.example.com"}, "bad.example.com", "22", false},
		{[]string{"!bad.example.com", "*.example.com"}, "good.example.com", "22", true},
		{[]string{"[bastion.example.com]:2222"}, "bastion.example.com", "2222", true},
		{[]string{"[bastion.example.com]:2222"}, "bastion.example.com", "22", false},
		{[]string{"2001:db8::*"}, "2001:db8::7", "22", true},
	} {
		value, wrong := p.Call("known_hosts_line", acctest.Texts(test.patterns...), acctest.Text(authority))
		var line string
		if wrong != nil || value.As(&line) != nil || strings.ContainsAny(line, "\r\n") {
			t.Fatalf("%v: %q, %+v", test.patterns, line, wrong)
		}
		cmd := exec.CommandContext(t.Context(), "ssh", "-F", "none", "-p", test.port, "-i", filepath.Join(dir, "user"),
			"-o", "ProxyCommand="+daemon+" -i -f "+config, "-o", "UserKnownHostsFile="+write(t, dir, "known_hosts", line+"\n"), "-o", "GlobalKnownHostsFile=none",
			"-o", "StrictHostKeyChecking=yes", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", test.host, "echo", "trusted")
		out, err := cmd.CombinedOutput()
		if trusted := err == nil && strings.Contains(string(out), "trusted"); trusted != test.trusted {
			t.Errorf("%s for %s port %s: trusted %t: %v\n%s", line, test.host, test.port, trusted, err, out)
		}
	}
}
